/**
 * Adds one command to the program: its arguments, options, help page and action. Definitions load no command code:
 * `run` imports its module when the command is executed, so that help and the roles start without it.
 */
import type { Argument, Command, Option } from 'commander'
import type { Config } from '../platform/config.ts'
import { environmentName } from '../platform/setting-name.ts'
import type { Access } from './access.ts'
import { byOption, reasonOption } from './act.ts'
import { FailedResult, UsageError } from './errors.ts'
import type { Invocation } from './invocation.ts'
import type { AdminClient } from './remote/client.ts'
import { wayOptions, type WayOptions } from './remote/way-options.ts'
import { baseSettings } from './setting-lists.ts'
import { formatResult, type Result } from './result.ts'

/** The settings without a default. */
const required: readonly (keyof Config)[] = ['databaseUrl', 'brokerUrls', 'tokenSecret']

const groupFailures = [
  'PostgreSQL is unavailable or not migrated',
  'the command failed, as its own page says',
]

const overAdminApi = ', unless it uses an admin API (docs/operations/cli.md)'

interface Page {
  readonly name: string
  /** One sentence. */
  readonly summary: string
  readonly details?: string
  readonly arguments?: readonly Argument[]
  readonly required?: readonly Option[]
  readonly options?: readonly Option[]
  /** What follows `postern` on the command line, one element per example. */
  readonly examples: readonly string[]
  /** What it reads besides settings, such as variables that the options of a route name. */
  readonly alsoReads?: string
  /** When the exit code is 1. */
  readonly failures: readonly string[]
}

interface PrintingPage<Given extends unknown[], Key extends keyof Config> extends Omit<Page, 'failures'> {
  /** The settings that it uses besides those of the database; it is given no others. */
  readonly settings?: readonly Key[]
  /** When the exit code is 1, besides an unavailable PostgreSQL. */
  readonly failures?: readonly string[]
  /** Replaces "PostgreSQL is unavailable or not migrated" where only a part of it is a failure. */
  readonly unavailable?: string
  readonly access: Access
  /** An example of the document that `--json` prints. */
  readonly json: string
  /** On the database. Receives the arguments, then the options. */
  readonly run: (invocation: Invocation<Key>, ...given: Given) => Promise<Result>
  /** The same over the admin API; absent where the command does not work over it. */
  readonly remote?: (admin: AdminClient, ...given: Given) => Promise<Result>
  /** Why it does not work over the admin API, without a full stop: printed where it is tried, and in docs/cli.md. */
  readonly databaseOnly?: string
  /** Over the admin API it works with a first key, and for operators of clients, too. */
  readonly forEveryKey?: true
}

const accesses = new WeakMap<Command, Access>()
const databaseOnly = new WeakMap<Command, string | null>()

/** Why a command works on the database alone; null: over the admin API, too. Undefined for groups, processes and what uses neither. */
export function databaseOnlyOf(command: Command): string | null | undefined {
  return databaseOnly.get(command)
}

/** What the definition of a command states; undefined for groups and processes. */
export function accessOf(command: Command): Access | undefined {
  return accesses.get(command)
}

/** A command that prints a result, for a person or with `--json`. */
export function defineCommand<Given extends unknown[], const Key extends keyof Config = never>(
  group: Command,
  page: PrintingPage<Given, Key>,
): void {
  const failures = [page.unavailable ?? 'PostgreSQL is unavailable or not migrated', ...(page.failures ?? [])]
  const settings = page.settings ?? []
  const requiredOptions = [...(page.required ?? []), ...requiredReason(page.access)]
  const options = [
    ...[...(page.options ?? []), ...actOptions(page.access)],
    ...wayOptions(page.remote !== undefined),
  ]
  const command = describe(group, { ...page, required: requiredOptions, options })
    .option('--json', 'print one JSON document instead of text')
    .action(async (...given: unknown[]) => {
      requireOptions(command, requiredOptions)
      // Commander appends the command itself.
      print(command, await execute(command, page, given.slice(0, -1) as Given))
    })
  accesses.set(command, page.access)
  if ((page.remote === undefined) === (page.databaseOnly === undefined))
    throw new Error(`${pathOf(command)} must work over the admin API, or say why it does not`)
  databaseOnly.set(command, page.databaseOnly ?? null)
  command.addHelpText(
    'after',
    () =>
      `\nOutput with --json:\n  ${page.json}\n${helpEnd({
        ...{ ...page, failures, settings: [...baseSettings, ...settings] },
        hasOperation: page.remote !== undefined,
      })}`,
  )
}

/** Over the admin API or on the database, as the options and the environment say. */
async function execute<Given extends unknown[], Key extends keyof Config>(
  command: Command,
  page: PrintingPage<Given, Key>,
  given: Given,
): Promise<Result> {
  const path = pathOf(command)
  const { chooseWay } = await import('./remote/way.ts')
  const question = { command: path, databaseOnly: databaseOnlyOf(command) ?? null }
  const target = chooseWay(command.opts<WayOptions>(), question)
  if (target !== null) {
    const { openAdmin } = await import('./remote/open.ts')
    const admin = await openAdmin(target, command.opts(), page.forEveryKey)
    return page.remote!(admin, ...given)
  }
  const { createInvocation } = await import('./invocation.ts')
  const invocation = createInvocation(path, page.access, command.opts(), page.settings ?? [])
  const result = await page.run(invocation, ...given)
  if (page.access.kind === 'change' && !invocation.audited)
    throw new Error(`postern ${invocation.command} has recorded nothing in the audit log`)
  return result
}

function print(command: Command, result: Result): void {
  const asJson = command.opts<{ json?: true }>().json === true
  command.configureOutput().writeOut?.(formatResult(result, asJson))
  if (result.failed === true) throw new FailedResult()
}

/** A command that uses neither the database nor the audit log: what it changes is a file of whoever runs it. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the arguments and options that `run` declares
export function defineOwn<Given extends unknown[]>(
  group: Command,
  page: Page & { readonly json: string; readonly run: (...given: Given) => Promise<Result> },
): void {
  const command = describe(group, page)
    .option('--json', 'print one JSON document instead of text')
    .action(async (...given: unknown[]) => {
      requireOptions(command, page.required)
      print(command, await page.run(...(given.slice(0, -1) as Given)))
    })
    .addHelpText(
      'after',
      () => `\nOutput with --json:\n  ${page.json}\n${helpEnd({ ...page, settings: [] })}`,
    )
}

function requiredReason({ reason }: Access): Option[] {
  return reason === 'required' ? [reasonOption()] : []
}

/** The same for every command that changes something or may show personal data. */
function actOptions({ kind, reason }: Access): Option[] {
  if (kind === 'read') return []
  return reason === 'required' ? [byOption()] : [reasonOption(), byOption()]
}

/** A process that runs until it is stopped. */
export function defineRole(program: Command, page: Page & { readonly run: () => Promise<void> }): Command {
  return describe(program, page)
    .action(() => page.run())
    .addHelpText('after', () => helpEnd({ ...page, settings: required }))
}

/** A command that only holds others. Call it with examples of the most usual ones. `own`: they use no database. */
export function defineGroup(
  parent: Command,
  { name, summary, examples, own = false }: Pick<Page, 'name' | 'summary' | 'examples'> & { own?: boolean },
): Command {
  const failures = own ? groupFailures.slice(1) : groupFailures
  const settings = own ? [] : baseSettings
  return parent
    .command(name)
    .summary(summary)
    .description(summary)
    .usage('<command>')
    .addHelpText('after', ({ command }) =>
      helpEnd({ examples, failures, settings, hasOperation: hasOperation(command) }),
    )
}

/** Whether it works over the admin API; of a group, whether one of its commands does. */
function hasOperation(command: Command): boolean {
  return databaseOnlyOf(command) === null || command.commands.some(hasOperation)
}

function describe(group: Command, page: Omit<Page, 'failures'>): Command {
  const { name, summary, details } = page
  const command = group
    .command(name)
    .summary(summary)
    .description(details === undefined ? summary : `${summary}\n\n${details}`)
  for (const argument of page.arguments ?? []) command.addArgument(argument)
  for (const option of page.required ?? []) command.addOption(option.helpGroup('Required options:'))
  for (const option of page.options ?? []) command.addOption(option)
  return command
}

/** Not left to commander: it would report a misspelled option as a missing one, without its suggestion. */
function requireOptions(command: Command, options: readonly Option[] = []): void {
  const missing = options.find((option) => command.getOptionValue(option.attributeName()) === undefined)
  if (missing !== undefined) throw new UsageError(`${missing.flags} is missing: ${missing.description}`)
}

/** Such as `account key add`. */
function pathOf(command: Command): string {
  const { parent } = command
  return parent === null ? '' : `${pathOf(parent)} ${command.name()}`.trimStart()
}

interface HelpEnd extends Pick<Page, 'examples' | 'failures' | 'alsoReads'> {
  readonly settings: readonly (keyof Config)[]
  readonly hasOperation?: boolean
}

function helpEnd({ examples, failures, settings, alsoReads, hasOperation = false }: HelpEnd): string {
  const names = (wanted: boolean): string =>
    settings
      .filter((key) => required.includes(key) === wanted)
      .map(environmentName)
      .join(', ')
  const used = [names(false), alsoReads ?? ''].filter((text) => text !== '').join('; ')
  const needed = names(true)
  return [
    '',
    'Examples:',
    ...examples.map((example) => `  postern ${example}`),
    '',
    'Exit codes:',
    '  0  success',
    ...failures.map((failure, index) => `  ${index === 0 ? '1  ' : '   or '}${failure}`),
    '  2  wrong usage, or a missing or wrong setting',
    '',
    ...(needed === '' && used === '' ? [] : ['Settings (environment variables, docs/configuration.md):']),
    ...(needed === '' ? [] : [`  required  ${needed}${hasOperation ? overAdminApi : ''}`]),
    ...(used === '' ? [] : [`  used      ${used}`]),
    '',
  ].join('\n')
}
