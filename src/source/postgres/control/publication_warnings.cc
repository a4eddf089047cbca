// What to tell about captured tables that do not come, or not as a whole.
#include <fmt/format.h>

#include <map>
#include <set>
#include <unordered_map>

#include "source/postgres/control/publication.h"
#include "source/postgres/control/quote.h"

namespace cdc::pg {
namespace {

constexpr std::size_t kMostNames = 20;  // in one message
using ByOid = std::unordered_map<Oid, const TableRow*>;

bool has_captured_ancestor(const TableRow& leaf, const ByOid& by_oid) { return by_oid.contains(leaf.parent); }

struct LeafReport {
  std::string not_captured;  // "a, b": published leaves that the filters leave out
  bool any_published = false;
};

LeafReport leaves_of(const TableRow& root, const Publication& publication, const std::set<TableId>& published,
                     const std::set<TableId>& captured, std::span<const PartitionLeaf> leaves) {
  LeafReport report;
  for (const PartitionLeaf& leaf : leaves) {
    if (leaf.root != root.oid || (!publication.all_tables && !published.contains(leaf.id))) continue;
    report.any_published = true;
    if (!captured.contains(leaf.id))
      report.not_captured += (report.not_captured.empty() ? "" : ", ") + dotted(leaf.id);
  }
  return report;
}

// Warnings about a table that the publication brings.
void warn_of_listed(const TableRow& t, const Publication& publication, const PublishedTable* entry,
                    std::vector<std::string>& out) {
  const std::string name = dotted(t.id);
  if (entry != nullptr && !entry->unpublished_columns.empty())
    out.push_back(fmt::format("{}: the publication leaves out the columns {}: streamed events lack them",
                              name, entry->unpublished_columns));
  if (entry != nullptr && !entry->row_filter.empty())
    out.push_back(
        fmt::format("{}: the publication has a row filter: changes outside of it do not come", name));
  const bool keyless = t.kind == 'r' && (t.identity == 'n' || (t.identity == 'd' && !t.has_primary_key));
  if (keyless && (publication.updates || publication.deletes) && !publication.all_tables)
    out.push_back(fmt::format(
        "{}: published without primary key and replica identity: the server refuses UPDATE and DELETE on it "
        "(ALTER TABLE {} REPLICA IDENTITY FULL)",
        name, quote_table(t.id)));
}

}  // namespace

std::vector<std::string> publication_warnings(const Publication& publication,
                                              std::span<const PublishedTable> published,
                                              std::span<const TableRow> captured,
                                              std::span<const PartitionLeaf> leaves) {
  std::vector<std::string> out;
  std::map<TableId, const PublishedTable*> entries;
  std::set<TableId> published_ids, captured_ids;
  ByOid by_oid;
  for (const PublishedTable& p : published) {
    entries.emplace(p.id, &p);
    published_ids.insert(p.id);
  }
  for (const TableRow& t : captured) {
    by_oid.emplace(t.oid, &t);
    captured_ids.insert(t.id);
  }

  std::size_t missing = 0;
  std::string missing_names;
  for (const TableRow& t : captured) {
    if (!t.published_kind()) continue;  // table_warnings says so
    const std::string name = dotted(t.id);
    const auto entry = entries.find(t.id);
    const bool listed = publication.all_tables ? (publication.via_root ? !t.is_partition : t.kind == 'r')
                                               : entry != entries.end();
    if (listed) {
      warn_of_listed(t, publication, entry == entries.end() ? nullptr : entry->second, out);
      continue;
    }
    if (t.is_partition && has_captured_ancestor(t, by_oid) && (publication.via_root || t.kind == 'p'))
      continue;
    if (t.kind == 'p') {
      const LeafReport report = leaves_of(t, publication, published_ids, captured_ids, leaves);
      if (!report.not_captured.empty())
        out.push_back(fmt::format(
            "{} is captured but not published: its changes come as {}, which the filters leave out "
            "(set publish.via.partition.root=true, or include the partitions)",
            name, report.not_captured));
      if (report.any_published || publication.all_tables) continue;
    }
    if (publication.all_tables && t.is_partition) {
      out.push_back(
          fmt::format("{} is captured but not published: its changes come under the name of its partitioned "
                      "table, which the filters "
                      "leave out",
                      name));
      continue;
    }
    if (++missing <= kMostNames) missing_names += (missing > 1 ? ", " : "") + name;
  }
  if (missing > kMostNames) missing_names += fmt::format(" and {} more", missing - kMostNames);
  if (missing > 0)
    out.push_back(fmt::format("captured but not in publication '{}', so that no change of it comes: {}",
                              publication.name, missing_names));
  return out;
}

std::vector<std::string> table_warnings(std::span<const TableRow> captured, const ServerFacts& facts) {
  std::vector<std::string> out;
  std::set<Oid> parents;
  for (const TableRow& t : captured) parents.insert(t.parent);
  for (const TableRow& t : captured) {
    const std::string name = dotted(t.id);
    if (t.persistence == 'u')
      out.push_back(fmt::format("{} is unlogged: its changes are not streamed", name));
    if (t.row_security)
      out.push_back(
          fmt::format("{}: row security is in force for role {}, the snapshot has only the rows that its "
                      "policies show (use a role with BYPASSRLS)",
                      name, facts.user));
    if (t.kind == 'p' && parents.contains(t.oid))
      out.push_back(
          fmt::format("{} and partitions of it are both captured: a snapshot reads their rows twice (capture "
                      "only the root with "
                      "publish.via.partition.root=true, or only the partitions)",
                      name));
    if (t.kind == 'r' && t.has_children)
      out.push_back(
          fmt::format("{} may have tables that inherit from it: a snapshot reads their rows under its name "
                      "too, the stream only under theirs",
                      name));
  }
  return out;
}

}  // namespace cdc::pg
