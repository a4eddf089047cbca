# bash completion for cdc. Written by man/update.
_cdc() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= word options=
  COMPREPLY=()
  case $previous in
    --config|-c|--output|-o|--state|--metrics-file) COMPREPLY=($(compgen -f -- "$current")); return ;;
    --format|-f) COMPREPLY=($(compgen -W 'value record keyed cloudevents' -- "$current")); return ;;
    --log-format) COMPREPLY=($(compgen -W 'text json' -- "$current")); return ;;
    --log-level) COMPREPLY=($(compgen -W 'trace debug info warn error off' -- "$current")); return ;;
    --fsync) COMPREPLY=($(compgen -W 'commit close never' -- "$current")); return ;;
    --channel) COMPREPLY=($(compgen -W 'source file' -- "$current")); return ;;
  esac
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $command:$word in
      :snapshot|:stream|:config|:signal|:offsets) command=$word ;;
      signal:execute-snapshot|signal:stop-snapshot|signal:pause-snapshot|signal:resume-snapshot|signal:log|signal:init) command="signal $word" ;;
      offsets:show|offsets:set|offsets:reset|offsets:check|offsets:export|offsets:import) command="offsets $word" ;;
    esac
  done
  case $command in
    '') options='snapshot stream config signal offsets help --name --state --log-level --log-format --quiet --config --set --help --version' ;;
    signal) options='execute-snapshot stop-snapshot pause-snapshot resume-snapshot log init --help' ;;
    offsets) options='show set reset check export import --help' ;;
    'snapshot') options='--table --where --threads --no-resume --resume --plan --chunk --dry-run --output --format --schemas --flatten --rotate-size --rotate-time --rotate-events --fsync --pipe-ok --stats --metrics-file --metrics-listen --name --state --log-level --log-format --quiet --config --set --help --version' ;;
    'stream') options='--table --where --threads --from --until --max-events --max-time --idle-exit --dry-run --output --format --schemas --flatten --rotate-size --rotate-time --rotate-events --fsync --pipe-ok --stats --metrics-file --metrics-listen --name --state --log-level --log-format --quiet --config --set --help --version' ;;
    'config') options='--table --where --threads --no-resume --resume --from --until --max-events --max-time --idle-exit --dry-run --output --format --schemas --flatten --rotate-size --rotate-time --rotate-events --fsync --pipe-ok --stats --metrics-file --metrics-listen --all --reference --differences --markdown --name --state --log-level --log-format --quiet --config --set --help --version' ;;
    'signal execute-snapshot') options='--blocking --condition --surrogate-key --id --channel --name --state --log-level --log-format --quiet --config --set --help --version' ;;
    'signal stop-snapshot') options='--id --channel --name --state --log-level --log-format --quiet --config --set --help --version' ;;
    'signal pause-snapshot') options='--id --channel --name --state --log-level --log-format --quiet --config --set --help --version' ;;
    'signal resume-snapshot') options='--id --channel --name --state --log-level --log-format --quiet --config --set --help --version' ;;
    'signal log') options='--id --channel --name --state --log-level --log-format --quiet --config --set --help --version' ;;
    'signal init') options='--id --channel --name --state --log-level --log-format --quiet --config --set --help --version' ;;
    'offsets show') options='--json --name --state --log-level --log-format --quiet --config --set --help --version' ;;
    'offsets set') options='--name --state --log-level --log-format --quiet --config --set --help --version' ;;
    'offsets reset') options='--name --state --log-level --log-format --quiet --config --set --help --version' ;;
    'offsets check') options='--name --state --log-level --log-format --quiet --config --set --help --version' ;;
    'offsets export') options='--engine-name --name --state --log-level --log-format --quiet --config --set --help --version' ;;
    'offsets import') options='--engine-name --name --state --log-level --log-format --quiet --config --set --help --version' ;;
  esac
  COMPREPLY=($(compgen -W "$options" -- "$current"))
  [[ ${#COMPREPLY[@]} -gt 0 || $current == -* ]] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _cdc cdc
