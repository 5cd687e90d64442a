/** The command line as a whole: help pages, suggestions, exit codes, and the output of outside values. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Command } from 'commander'
import { runCommand } from '../../test/support/command.ts'
import { ConfigSchema } from '../platform/settings/config-schema.ts'
import { environmentName } from '../platform/settings/config.ts'
import { getDatabaseOnlyReason } from './define.ts'
import { createProgram } from './program.ts'
import { formatResult, printable, table } from './result.ts'

const tokenSecret = { POSTERN_TOKEN_SECRET: 'x'.repeat(32) }
const program = createProgram({ out: () => undefined, err: () => undefined })

function pathsOf(command: Command, path: readonly string[] = []): [string[], Command][] {
  return command.commands.flatMap((child) => {
    const childPath = [...path, child.name()]
    return [[childPath, child] as [string[], Command], ...pathsOf(child, childPath)]
  })
}
const commands = pathsOf(program)
const leaves = commands.filter(([, command]) => command.commands.length === 0)

for (const [path, command] of commands) {
  test(`the help page of ${path.join(' ')} names every option, argument and command`, async () => {
    const page = await runCommand({}, ...path, '--help')
    assert.deepEqual([page.exitCode, page.stderr], [0, ''])
    assert.equal((await runCommand({}, 'help', ...path)).stdout, page.stdout)
    assert.match(command.summary(), /^[A-Z].*\.$/)
    const flat = page.stdout.replaceAll(/\s+/g, ' ')
    for (const option of command.options.filter(({ hidden }) => !hidden)) {
      assert.ok(
        option.description !== '' && flat.includes(`${option.flags} ${option.description}`),
        option.flags,
      )
    }
    for (const argument of command.registeredArguments) {
      assert.ok(flat.includes(`${argument.name()} ${argument.description}`), argument.name())
    }
    for (const child of command.commands) assert.ok(flat.includes(` ${child.name()} `), child.name())
  })
}

const settings = new Set(Object.keys(ConfigSchema.properties).map(environmentName))

for (const [path] of leaves) {
  test(`the help page of ${path.join(' ')} has examples, exit codes and settings`, async () => {
    const { stdout } = await runCommand({}, ...path, '--help')
    assert.ok(stdout.includes(`Examples:\n  postern ${path.join(' ')}`))
    assert.match(stdout, /Exit codes:\n {2}0 {2}success\n {2}1 {2}\w[\s\S]*\n {2}2 {2}invalid usage/)
    // Commands that use only a file of their user have no database setting.
    if (!['login', 'logout', 'profile'].includes(path[0]!) && path.join(' ') !== 'route import')
      assert.match(stdout, /Settings \(environment variables[^:]*:\n {2}required {2}POSTERN_DATABASE_URL/)
    // Operators choose the names of route secrets.
    for (const [name] of stdout.matchAll(/POSTERN_(?!ROUTE_SECRET_)[A-Z0-9_]+/g))
      assert.ok(settings.has(name), name)
  })
}

test('a help page states when an admin API replaces the database', async () => {
  // `worker` is a process, whose page names no admin API although it contains `worker list`.
  for (const [path, command] of commands.filter(([[name]]) => name !== 'worker')) {
    const { stdout } = await runCommand({}, ...path, '--help')
    const works = [command, ...pathsOf(command).map(([, child]) => child)].some(
      (command) => getDatabaseOnlyReason(command) === null,
    )
    assert.equal(stdout.includes(', unless it uses an admin API'), works, path.join(' '))
  }
})

test('the JSON example of a help page is valid', async () => {
  for (const [path] of leaves.filter(([, { options }]) => options.some(({ long }) => long === '--json'))) {
    const { stdout } = await runCommand({}, ...path, '--help')
    const shown = /Output with --json:\n {2}(\{.*\})/.exec(stdout)?.[1]
    assert.equal(typeof JSON.parse(shown!), 'object', path.join(' '))
  }
})

test('every command except the roles has --json', () => {
  const without = leaves.filter(([, { options }]) => !options.some(({ long }) => long === '--json'))
  assert.deepEqual(
    without.map(([[name]]) => name),
    // `worker` also contains `worker list`.
    ['api', 'admin', 'smpp-server', 'all'],
  )
})

test('no command prints the help page of the program', async () => {
  const { exitCode, stdout } = await runCommand({})
  assert.equal(exitCode, 0)
  for (const [[name]] of commands) assert.ok(stdout.includes(`  ${name!} `), name)
  assert.equal((await runCommand({}, 'help')).stdout, stdout)
})

for (const [args, message] of [
  [['rout'], /^postern: unknown command 'rout'\n\(Did you mean route\?\)\nRun 'postern --help'/],
  [['rout', '--help'], /Did you mean route\?/],
  [['help', 'rout'], /Did you mean route\?/],
  [['help', 'route', 'putt'], /^postern route: unknown command 'putt'\n\(Did you mean put\?\)/],
  [['route', 'putt', '--help'], /Did you mean put\?\)\nRun/],
  [
    ['message', 'list'],
    /^postern message: unknown command 'list'\n {2}find {4}Search the messages of [\s\S]*\n {2}show {4}.*\n[\s\S]*\nRun 'postern message --help'/,
  ],
  [
    ['account', 'key', 'x', '--help'],
    /unknown command 'x'\n {2}\w+ +.*\n[\s\S]*\nRun 'postern account key --help'/,
  ],
  [['x'], /^postern: unknown command 'x'\nRun 'postern --help'/],
  [
    ['account', 'create', '--nmae', 'Shop'],
    /unknown option '--nmae'\n\(Did you mean --name\?\)\nRun 'postern account create --help'/,
  ],
  [['account', 'create'], /--name <text> is required/],
  [['account', 'set'], /missing required argument 'client-id'/],
  [['account', 'set', 'a', 'b'], /too many arguments/],
  [['account'], /^Usage: postern account[\s\S]*a command is required/],
  [['message', 'show', 'x'], /<msg-key> must be 17 digits/],
  [['parked', 'show', '0'], /id must be an integer from 1/],
  [['parked', 'retry'], /specify the jobs to retry/],
  [['parked', 'retry', '--stage', 'accept'], /--stage must be one of intake, dispatch, settle/],
  [['route', 'ranges', 'import', '/nonexistent.csv'], /cannot read \/nonexistent.csv/],
] as const) {
  test(`invalid usage ends with exit code 2: ${args.join(' ')}`, async () => {
    const { exitCode, stdout, stderr } = await runCommand(tokenSecret, ...args)
    assert.match(stderr, message)
    assert.deepEqual([exitCode, stdout], [2, ''])
  })
}

test('a missing setting is named with the next step', async () => {
  const { exitCode, stdout, stderr } = await runCommand({ POSTERN_DATABASE_URL: '' }, 'account', 'list')
  assert.deepEqual([exitCode, stdout], [2, ''])
  assert.match(
    stderr,
    /^postern account list: .*set POSTERN_DATABASE_URL.*\nSet it in the environment.*configuration\.md/,
  )
})

test('an unavailable database is one line with its address, without its password', async () => {
  const environment = { ...tokenSecret, POSTERN_DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/postern' }
  for (const args of [['account', 'list', '--json'], ['parked', 'list'], ['migrate']]) {
    const { exitCode, stdout, stderr } = await runCommand(environment, ...args)
    assert.deepEqual([exitCode, stdout], [1, ''])
    assert.match(
      stderr,
      /^postern .*: PostgreSQL at 127\.0\.0\.1:1 is unavailable \(ECONNREFUSED\); check .*\n$/,
    )
    assert.doesNotMatch(stderr, /secret/)
  }
})

test('an invalid database URL is an invalid setting', async () => {
  const environment = { ...tokenSecret, POSTERN_DATABASE_URL: 'postgres://me:secret@127.0.0.1:99999/x' }
  const { exitCode, stderr } = await runCommand(environment, 'ledger', 'check')
  assert.equal(exitCode, 2)
  assert.match(stderr, /^postern ledger check: POSTERN_DATABASE_URL is not a valid URL/)
  assert.doesNotMatch(stderr, /secret/)
})

test('control characters of outside values do not reach the terminal', () => {
  assert.equal(
    printable('a\u001B[2Jb\u0000\u007F\u009Bc\r\nd'),
    'a\uFFFD[2Jb\uFFFD\uFFFD\uFFFDc\uFFFD\uFFFDd',
  )
  assert.equal(
    printable('a\u202Eb\u2066c\u2069d\u200Ee\u061Cf'),
    'a\uFFFDb\uFFFDc\uFFFDd\uFFFDe\uFFFDf',
    'characters that reorder the line',
  )
  assert.equal(
    formatResult({ json: { value: '\u202Ex\u2069' }, lines: [] }, true),
    '{"value":"\\u202ex\\u2069"}\n',
  )
  assert.equal(printable('한글 ✓ é'), '한글 ✓ é')
  const value = 'x\u001B\u009B\u007Fy'
  const result = { json: { value }, lines: table([['value', value]]) }
  assert.equal(formatResult(result, false), 'value  x\uFFFD\uFFFD\uFFFDy\n')
  const json = formatResult(result, true)
  assert.equal(json, '{"value":"x\\u001b\\u009b\\u007fy"}\n')
  assert.deepEqual(JSON.parse(json), { value })
})

// A driver or the schemas of all channels would more than double the run time of a command that needs
// neither.
test('command definitions load only the package commander', () => {
  const script = `import { registerHooks } from 'node:module'
    const packages = new Set()
    const load = (url, context, next) => {
      const [, name] = /node_modules\\/([^/]+)/.exec(url) ?? []
      if (name !== undefined) packages.add(name)
      return next(url, context)
    }
    registerHooks({ load })
    await import(${JSON.stringify(join(import.meta.dirname, 'program.ts'))})
    process.stdout.write([...packages].join(' '))`
  const packages = execFileSync(process.execPath, ['--input-type=module', '--eval', script])
  assert.equal(packages.toString(), 'commander')
})
