/**
 * The scripts are thin: they hand the words to `cardctl __complete` on stdin, because other processes can read a command
 * line, and a word may be a secret. None of them evaluates a word: a TAB never runs anything but `cardctl __complete`.
 */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof SHELLS)[number]

const bash = `# bash completion of cardctl
_cardctl() {
  local line=\${COMP_LINE:0:COMP_POINT} breaks=\${COMP_WORDBREAKS//[^=:]/}
  local words=() word rest text first current kept=
  local -i i
  line=\${line#*"\${COMP_WORDS[0]}"}
  # bash also splits words at = : and @. What has no space in between is one word.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    rest=\${line#"\${line%%[![:space:]]*}"}
    word=\${COMP_WORDS[i]}
    ((i < COMP_CWORD)) || word=$rest
    if [[ $rest == "$line" && \${#words[@]} -gt 0 ]]; then
      words[\${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
    line=\${rest#"$word"}
  done
  COMPREPLY=()
  text=$(printf '%s\\0' "\${words[@]}" | command cardctl __complete 2>/dev/null) || return
  current=\${words[\${#words[@]} - 1]}
  first=\${text%%$'\\n'*}
  case $first in
    files*@)
      compopt -o nospace 2>/dev/null
      while IFS= read -r word; do
        [[ -d $word ]] && word+=/
        printf -v word %q "$word"
        COMPREPLY+=("@$word")
      done < <(compgen -f -- "\${current##*@}")
      return ;;
    files*) compopt -o default -o filenames 2>/dev/null; return ;;
    folders*) compopt -o dirnames 2>/dev/null; return ;;
    *nospace) compopt -o nospace 2>/dev/null ;;
  esac
  compopt -o nosort 2>/dev/null
  # Only what follows the last of these characters is replaced.
  [[ -n $breaks ]] && kept=\${current%"\${current##*[$breaks]}"}
  while IFS=$'\\t' read -r word _; do
    [[ -n $word ]] && COMPREPLY+=("\${word#"$kept"}")
  done <<<"\${text#"$first"}"
}
complete -F _cardctl cardctl
`

const zsh = `#compdef cardctl
# zsh completion of cardctl
_cardctl() {
  local -a lines described more
  local line first prefix
  lines=("\${(@f)$(printf '%s\\0' "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" | command cardctl __complete 2>/dev/null)}")
  first=$lines[1]
  case $first in
    files*|folders*)
      prefix=\${first#* }
      [[ -n $prefix ]] && compset -P \${(b)prefix}
      if [[ $first == folders* ]]; then _files -/; else _files; fi
      return ;;
    *nospace) more=(-S '') ;;
  esac
  for line in "\${(@)lines[2,-1]}"; do
    if [[ $line == *$'\\t'* ]]; then
      described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    else
      described+=("\${line//:/\\\\:}")
    fi
  done
  _describe -V cardctl described "\${more[@]}"
}
if [[ \${funcstack[1]} == _cardctl ]]; then
  _cardctl "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _cardctl cardctl
fi
`

const fish = `# fish completion of cardctl
function __cardctl_complete
    set -l current (commandline -ct)
    set -l words (commandline -opc)
    set -e words[1]
    set -l text (printf '%s\\0' $words "$current" | command cardctl __complete 2>/dev/null)
    or return
    set -l first (string split -m 1 ' ' -- $text[1])
    set -e text[1]
    switch $first[1]
        case files folders
            set -l name (string sub -s (math 1 + (string length -- "$first[2]")) -- "$current")
            set -l paths
            if test $first[1] = folders
                set paths (__fish_complete_directories "$name")
            else
                set paths (__fish_complete_path "$name")
            end
            for path in $paths
                printf '%s%s\\n' "$first[2]" $path
            end
        case '*'
            for line in $text
                printf '%s\\n' $line
            end
    end
end
complete -c cardctl -e
complete -c cardctl -f -k -a '(__cardctl_complete)'
`

const powershell = `# PowerShell completion of cardctl
Register-ArgumentCompleter -Native -CommandName cardctl -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        Select-Object -Skip 1 |
        ForEach-Object { $_.Extent.Text }) + "$wordToComplete"
    $text = @((($words | ForEach-Object { "$_\`0" }) -join '') | cardctl __complete 2>$null)
    if ($text.Count -eq 0) { return }
    $kind, $prefix = $text[0] -split ' ', 2
    if ($kind -in 'files', 'folders') {
        $name = "$wordToComplete".Substring("$prefix".Length)
        Get-ChildItem -Path "$name*" -Directory:($kind -eq 'folders') -ErrorAction SilentlyContinue |
            ForEach-Object {
                $path = "$prefix$(Resolve-Path -Relative -LiteralPath $_.FullName)"
                [System.Management.Automation.CompletionResult]::new($path, $_.Name, 'ProviderItem', $_.Name)
            }
        return
    }
    $text | Select-Object -Skip 1 | ForEach-Object {
        $value, $about = $_ -split "\`t", 2
        if (-not $about) { $about = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
    }
}
`

export const scripts: Readonly<Record<Shell, string>> = {bash, zsh, fish, powershell}
