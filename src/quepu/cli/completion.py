"""`quepu completion`: print a shell script that completes commands, options, rulebooks and names."""

from __future__ import annotations

import os
from typing import Any, ClassVar

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    ShellComplete,
    add_completion_class,
    get_completion_class,
)
from click.shell_completion import split_arg_string as words_of

from quepu.cli import parameters
from quepu.cli.program import Argument, program
from quepu.cli.texts import say
from quepu.errors import UnknownName, join_list

SHELLS = ("bash", "zsh", "fish", "powershell")
_BASH = r"""%(complete_func)s() {
    local IFS=$'\n'
    local response word=${COMP_WORDS[COMP_CWORD]}

    response=$(env COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD %(complete_var)s=bash_complete $1)

    for completion in $response; do
        IFS=',' read -r type value <<< "$completion"

        if [[ $type == 'dir' ]]; then
            COMPREPLY=()
            compopt -o dirnames
        elif [[ $type == 'file' ]]; then
            COMPREPLY=()
            compopt -o default
        elif [[ $type == 'plain' ]]; then
            if [[ $word != [\'\"]* && $value == *[[:space:]\'\"\(\)\;\&]* ]]; then
                printf -v value '%%q' "$value"
            fi
            COMPREPLY+=("$value")
        fi
    done

    return 0
}

%(complete_func)s_setup() {
    complete -o nosort -F %(complete_func)s %(prog_name)s
}

%(complete_func)s_setup;
"""
"""Click's script, with quotes around names of several words."""
_POWERSHELL = """\
Register-ArgumentCompleter -Native -CommandName %(prog_name)s -ScriptBlock {
    param($word, $line, $at)
    $env:%(complete_var)s = "powershell_complete"
    $env:COMP_WORDS = $line.ToString()
    $env:COMP_CWORD = $word
    %(prog_name)s | ForEach-Object {
        $type, $value, $help = $_ -split "`t", 3
        if ($type -eq "plain") {
            if (-not $help) { $help = $value }
            $shown = $value
            if ($value -match "[\\s'();&]") { $value = "'" + $value.Replace("'", "''") + "'" }
            [System.Management.Automation.CompletionResult]::new($value, $shown, "ParameterValue", $help)
        }
    }
    Remove-Item Env:%(complete_var)s, Env:COMP_WORDS, Env:COMP_CWORD
}
"""


@add_completion_class
class QuotingBashComplete(BashComplete):
    """Completion for bash; a name with spaces is quoted unless the user has already begun to quote it."""

    source_template: ClassVar[str] = _BASH


@add_completion_class
class PowerShellComplete(ShellComplete):
    """Completion for PowerShell, which passes the word under the cursor and completes files itself."""

    name: ClassVar[str] = "powershell"
    source_template: ClassVar[str] = _POWERSHELL

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the one to complete, and that one."""
        words, incomplete = words_of(os.environ["COMP_WORDS"])[1:], os.environ.get("COMP_CWORD", "")
        if incomplete and words and words[-1] == incomplete:
            words.pop()
        return words, incomplete

    def format_completion(self, item: CompletionItem[Any]) -> str:
        """Return type, value and help separated by tabs."""
        return f"{item.type}\t{item.value}\t{item.help or ''}"


@parameters.command(
    "completion", Argument(["shell"], type=click.Choice(SHELLS), required=False, default=None, help=say("arg.shell"))
)
def command(shell: str | None) -> int:
    """Completion."""
    shell = shell or _own_shell()
    found = get_completion_class(shell)
    if found is None:  # all four exist
        return 1
    click.echo(found(program(), {}, "quepu", "_QUEPU_COMPLETE").source())
    return 0


def _own_shell() -> str:
    """Return the shell that $SHELL names.

    Raises:
        UnknownName: it names no supported shell.
    """
    named = os.path.basename(os.environ.get("SHELL", ""))
    if named not in SHELLS:
        shells = join_list(SHELLS)
        raise UnknownName(f"请选择 shell：{shells.zh}。", f"choose a shell: {shells.en}.")
    return named
