/** Creates the page _Commands_ of the documentation site: the help page of every command. */
import type { Command } from 'commander'
import { getDatabaseOnlyReason } from '../src/cli/define.ts'
import { createProgram } from '../src/cli/program.ts'

const columns = 100

export function cliPage(): string {
  let printed = ''
  const program = createProgram({
    out: (text) => void (printed += text),
    err: () => undefined,
    width: columns,
  })
  const pages = withPath(program).map(({ path, command }) => {
    printed = ''
    command.outputHelp()
    const heading =
      command === program ? '## postern' : `${'#'.repeat(Math.min(path.length, 4))} ${path.join(' ')}`
    return `${heading}\n\n\`\`\`text\n${printed.trimEnd()}\n\`\`\`\n`
  })
  return [
    '# Commands',
    '',
    'Every command of `postern` with its help page, as `postern help COMMAND` prints it.',
    '',
    '## Over the admin API, or on the database alone',
    '',
    'All commands but these work [both ways](../../docs/operations/command-line.md), with the same output:',
    '',
    '| Command | Why on the database alone |',
    '| --- | --- |',
    ...onDatabaseAlone(program),
    '',
    'The first operator is added with `postern operator add` on the database: the admin API needs the key of an operator.',
    '',
    '`login`, `logout`, `profile` and `route import` use neither. `api`, `worker`, `admin`, `smpp-server` and `all` are processes.',
    '',
    ...pages,
  ].join('\n')
}

function onDatabaseAlone(program: Command): string[] {
  return withPath(program).flatMap(({ path, command }) => {
    const reason = getDatabaseOnlyReason(command)
    return typeof reason === 'string' ? [`| \`${path.slice(1).join(' ')}\` | ${reason} |`] : []
  })
}

function withPath(command: Command, parents: readonly string[] = []): { path: string[]; command: Command }[] {
  const path = [...parents, command.name()]
  return [{ path, command }, ...command.commands.flatMap((child) => withPath(child, path))]
}
