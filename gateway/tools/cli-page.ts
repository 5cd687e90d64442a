/** docs/cli.md: the help page of every command, as the program prints it. */
import type { Command } from 'commander'
import { databaseOnlyOf } from '../src/commands/define.ts'
import { createProgram } from '../src/commands/program.ts'

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
    '# Command line',
    '',
    'Every command of `postern` with its help page, as `postern help COMMAND` prints it. This page is generated from',
    '`gateway/src/commands`.',
    '',
    '- From a checkout: `npm run postern -- COMMAND`, or `node gateway/src/main.ts COMMAND`.',
    '- Output for people goes to stdout as text. With `--json` it is one JSON document on one line; its field names stay',
    '  stable, and new fields may be added. Control characters in values from outside are replaced or escaped.',
    '- Commands use the database of `POSTERN_DATABASE_URL`, or an [admin API](operations/cli.md): after `postern login`, or',
    '  with `POSTERN_ADMIN_URL` and `POSTERN_OPERATOR_KEY`.',
    '- Errors go to stderr: what is wrong, and what to do next.',
    '- Exit codes: 0 success; 1 failed (not found, refused, PostgreSQL, RabbitMQ or the admin API unavailable); 2 wrong usage',
    '  or setting; 141 the reader of the output has closed the pipe, as in `postern … | head`.',
    '',
    '## Over the admin API, or on the database alone',
    '',
    'All commands but these work both ways, with the same output:',
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
    const reason = databaseOnlyOf(command)
    return typeof reason === 'string' ? [`| \`${path.slice(1).join(' ')}\` | ${reason} |`] : []
  })
}

function withPath(command: Command, parents: readonly string[] = []): { path: string[]; command: Command }[] {
  const path = [...parents, command.name()]
  return [{ path, command }, ...command.commands.flatMap((child) => withPath(child, path))]
}
