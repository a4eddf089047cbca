// Arrays, hstore, pgvector: PostgreSQL spec 4.1, 4.5, 4.6 and the vectors of 8.2.
#include <vector>

#include "helpers.h"
#include "json/json_text.h"
#include "source/postgres/values/array_text.h"
#include "source/postgres/values/binary.h"
#include "source/postgres/values/hstore.h"
#include "source/postgres/values/scalar.h"
#include "source/postgres/values/vector.h"

using namespace cdc::pg;
using namespace cdc::pg::test;

namespace {

bool text_element(std::string_view text, cdc::Buffer& out) {
  cdc::json::append_string(out, text);
  return true;
}
bool int_element(std::string_view text, cdc::Buffer& out) { return append_integer(text, IntType::int4, out); }

ArrayFacts facts;
template <class Element>
std::string array(std::string_view text, Element element, char delimiter = ',') {
  return render(
      [&](std::string_view t, cdc::Buffer& out) {
        const auto got = append_array(t, delimiter, out, element);
        facts = got.value_or(ArrayFacts{});
        return got.has_value();
      },
      text);
}
std::string texts(std::string_view text, char delimiter = ',') {
  return array(text, text_element, delimiter);
}
std::string ints(std::string_view text) { return array(text, int_element); }

}  // namespace

TEST_CASE("PG 4.6 arrays") {
  CHECK(ints("{1,NULL,3}") == "[1,null,3]");
  CHECK(facts.null_element);
  CHECK_FALSE(facts.element_failed);
  CHECK(facts.dimensions == 1);
  CHECK(texts(R"({a,"b c",NULL})") == R"(["a","b c",null])");
  CHECK(texts("[2:3]={a,b}") == R"(["a","b"])");
  CHECK(texts("{}") == "[]");
  CHECK(facts.dimensions == 0);
  CHECK(texts(R"({"cone      ","ctwo      "})") == R"(["cone      ","ctwo      "])");
  CHECK(texts("{Ship.Frigate,Ship.Destroyer}") == R"(["Ship.Frigate","Ship.Destroyer"])");
  CHECK(texts(R"({"NULL",null,NULLx,""})") == R"(["NULL",null,"NULLx",""])");
  CHECK(texts(R"({"a\"b","c\\d","{x,y}",a\,b})") == R"(["a\"b","c\\d","{x,y}","a,b"])");
  CHECK(texts("{\"\\\\x000102\",\"\\\\x030405\"}") == R"(["\\x000102","\\x030405"])");
  CHECK(array("{\"\\\\x000102\",\"\\\\x030405\"}", [](std::string_view t, cdc::Buffer& out) {
          return append_bytea(t, BinaryForm::bytes, out);
        }) == R"(["AAEC","AwQF"])");
  CHECK(texts("{(1,1),(0,0);(2,2),(1,1)}", ';') == R"x(["(1,1),(0,0)","(2,2),(1,1)"])x");
  CHECK(texts("{ a , b c ,d\\ }") == R"(["a","b c","d "])");
  CHECK(texts("{a\\ b  }") == R"(["a b"])");
}

TEST_CASE("PG 4.6 arrays of more dimensions are nested, bounds dropped") {
  CHECK(ints("[0:1][5:6]={{1,2},{3,NULL}}") == "[[1,2],[3,null]]");
  CHECK(facts.dimensions == 2);
  CHECK(facts.null_element);
  CHECK(ints("{{{1},{2}},{{3},{4}}}") == "[[[1],[2]],[[3],[4]]]");
  CHECK(facts.dimensions == 3);
  CHECK(ints("[-1:0]={7,8}") == "[7,8]");
}

TEST_CASE("PG 4.6 an element without a form is null, the others stay") {
  CHECK(ints("{1,x,3}") == "[1,null,3]");
  CHECK(facts.element_failed);
  CHECK_FALSE(facts.null_element);
}

TEST_CASE("malformed array literals append nothing") {
  for (const char* bad :
       {"",     "{",       "}",       "{1",       "{1,",     "{1,}",    "{,1}",     "{1}}",     "{1}x",
        "{{1}", "{{1},2}", "{1,{2}}", "{\"a}",    "{\"a\\",  "{a\\",    "1",        "{\"a\"b}", "{a\"b\"}",
        "{{}",  "[1:2",    "[1:2]",   "[1:2]{1}", "[x]={1}", "{1}{2}",  "{1}, {2}", "{1 {2}}",  ",",
        "{},",  "{ ,}",    "=",       "[=",       "{1,,2}",  "{{1}{2}}"})
    CHECK_MESSAGE(texts(bad) == none, bad);
  CHECK(texts(std::string(100000, '{')) == none);
}

TEST_CASE("the tokenizer stays at its end") {
  ArrayText reader("{a}");
  CHECK(reader.next() == ArrayText::Token::open);
  CHECK(reader.next() == ArrayText::Token::element);
  CHECK(reader.element() == "a");
  CHECK(reader.depth() == 1);
  CHECK(reader.next() == ArrayText::Token::close);
  CHECK(reader.next() == ArrayText::Token::end);
  CHECK(reader.next() == ArrayText::Token::end);
  ArrayText broken("{a");
  broken.next();
  CHECK(broken.next() == ArrayText::Token::malformed);
  CHECK(broken.next() == ArrayText::Token::malformed);
}

TEST_CASE("PG 4.5 PG-TRAP-VAL-10 hstore in the order of a Java hash map") {
  const auto json = [](std::string_view text) { return render(append_hstore, text, HstoreForm::json); };
  const auto map = [](std::string_view text) { return render(append_hstore, text, HstoreForm::map); };
  CHECK(json(R"("k"=>"1", "z"=>NULL)") == R"("{\"z\":null,\"k\":\"1\"}")");
  CHECK(map(R"("k"=>"1", "z"=>NULL)") == R"({"z":null,"k":"1"})");
  CHECK(json("") == "\"{}\"");
  CHECK(map("") == "{}");
  CHECK(json(R"("key4"=>"val4", "key5"=>NULL)") == R"("{\"key5\":null,\"key4\":\"val4\"}")");
  CHECK(json(R"("key 2"=>" ##123 78", "key_#1"=>"val 1")") ==
        R"("{\"key_#1\":\"val 1\",\"key 2\":\" ##123 78\"}")");
  CHECK(
      map(R"("one"=>"1", "six"=>"6", "ten"=>"10", "two"=>"2", "five"=>"5", "four"=>"4", "nine"=>"9", "eight"=>"8", "seven"=>"7", "three"=>"3", "eleven"=>"11", "twelve"=>"12", "fourteen"=>"14", "thirteen"=>"13")") ==
      R"({"nine":"9","six":"6","one":"1","seven":"7","two":"2","three":"3","thirteen":"13","eight":"8","fourteen":"14","four":"4","twelve":"12","eleven":"11","ten":"10","five":"5"})");
  CHECK(map(R"("Aa"=>"1", "BB"=>"2", "AaAa"=>"3", "AaBB"=>"5", "BBAa"=>"6", "BBBB"=>"4")") ==
        R"({"Aa":"1","BB":"2","AaAa":"3","AaBB":"5","BBAa":"6","BBBB":"4"})");
  // escapes: of hstore, of the inner document, of the outer string
  CHECK(map(R"("q\"u"=>"b\\s")") == R"({"q\"u":"b\\s"})");
  CHECK(json(R"("q\"u"=>"b\\s")") == R"("{\"q\\\"u\":\"b\\\\s\"}")");
  CHECK(json("\"ü😀\"=>\"é\n\"") == "\"{\\\"ü\\uD83D\\uDE00\\\":\\\"é\\\\n\\\"}\"");
  for (const char* bad : {"x", "\"", "\"a\"", "\"a\"=>", "\"a\"=>x", "\"a\"=>\"b\",", "\"a\"=>\"b\" ",
                          "\"a\"=>\"b\\", "a=>1", "\"a\"=>NULL,\"b\"=>NULL"})
    CHECK_MESSAGE(json(bad) == none, bad);
}

TEST_CASE("PG 4.1 vector and halfvec") {
  CHECK(render(append_vector, "[1,2.5]") == "[1.0,2.5]");
  CHECK(render(append_vector, "[1,2,3]") == "[1.0,2.0,3.0]");
  CHECK(render(append_vector, "[1e+38,-1e-38,0.333333]") == "[1.0E38,-1.0E-38,0.333333]");
  CHECK(render(append_halfvec, "[0.3330078,5.9604645e-08]") == "[0.3330078,5.9604645E-8]");
  CHECK(render(append_vector, "[]") == "[]");
  for (const char* bad : {"", "[", "]", "1,2", "[1,]", "[,1]", "[1 2]", "[a]", "[1", "[,]"}) {
    CHECK_MESSAGE(render(append_vector, bad) == none, bad);
    CHECK_MESSAGE(render(append_halfvec, bad) == none, bad);
  }
}

TEST_CASE("PG-TRAP-VAL-13 sparsevec: pairs in the order of a Java hash map") {
  const auto of = [](std::string_view text) { return render(append_sparsevec, text); };
  const std::pair<const char*, const char*> cases[] = {
      {"{1:10,3:30}/5", R"({"dimensions":5,"vector":[[1,10.0],[3,30.0]]})"},
      {"{1:1,4:2,8:3}/99", R"({"dimensions":99,"vector":[[4,2.0],[8,3.0],[1,1.0]]})"},
      {"{1:201,9:209}/3000", R"({"dimensions":3000,"vector":[[1,201.0],[9,209.0]]})"},
      {"{}/3000", R"({"dimensions":3000,"vector":[]})"},
      {"{9:1}/99", R"({"dimensions":99,"vector":[[9,1.0]]})"},
      {"{1:1,8:2,9:3,16:4}/99", R"({"dimensions":99,"vector":[[8,2.0],[16,4.0],[1,1.0],[9,3.0]]})"},
      {"{1:1,2:2,8:3,9:4,16:5,24:6}/99",
       R"({"dimensions":99,"vector":[[8,3.0],[16,5.0],[24,6.0],[1,1.0],[9,4.0],[2,2.0]]})"},
      {"{1:1,2:2,3:3,4:4,5:5,6:6,7:7,8:8,9:9,10:10,16:11,17:12}/99",
       R"({"dimensions":99,"vector":[[16,11.0],[1,1.0],[17,12.0],[2,2.0],[3,3.0],[4,4.0],[5,5.0],[6,6.0],[7,7.0],[8,8.0],[9,9.0],[10,10.0]]})"},
      {"{1:1,2:2,3:3,4:4,5:5,6:6,7:7,8:8,9:9,10:10,11:11,12:12,17:13}/99",
       R"({"dimensions":99,"vector":[[1,1.0],[2,2.0],[3,3.0],[4,4.0],[5,5.0],[6,6.0],[7,7.0],[8,8.0],[9,9.0],[10,10.0],[11,11.0],[12,12.0],[17,13.0]]})"},
      {"{32767:-1}/32767", R"({"dimensions":32767,"vector":[[32767,-1.0]]})"},
  };
  for (const auto& row : cases) CHECK_MESSAGE(of(row.first) == row.second, row.first);
  for (const char* bad : {"", "{}", "{}/", "{1:1}/40000", "{32768:1}/5", "{-1:1}/5", "{1}/5", "{1:}/5",
                          "{:1}/5", "{1:1,}/5", "{,1:1}/5", "1:1/5", "{1:x}/5", "}/5"})
    CHECK_MESSAGE(of(bad) == none, bad);
}
