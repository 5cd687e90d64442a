/**
 * Adds one command to the program: its arguments, options, help page and action. Definitions load no command
 * code: `run` imports its module when the command is executed, so that help and the roles start without it.
 */
import type { Argument, Command, Option } from 'commander'
import type { Config } from '../platform/settings/config.ts'
import { environmentName } from '../platform/settings/setting-name.ts'
import { operationIndex, type OperationId } from '../operations/operation-index.ts'
import type { Access } from './access.ts'
import { byOption, reasonOption } from './shell-context.ts'
import { FailedResult, UsageError } from './errors.ts'
import type { Invocation } from './invocation.ts'
import type { AdminClient } from './client/client.ts'
import { backendOptions, type BackendOptions } from './client/backend-options.ts'
import { baseSettings } from './setting-lists.ts'
import { formatResult, type Result } from './result.ts'

/** Required settings. The others are optional or have a default. */
const requiredSettings: readonly (keyof Config)[] = ['databaseUrl', 'brokerUrls', 'tokenSecret']

const groupFailures = [
  'PostgreSQL is unavailable or not migrated',
  'the command failed; its help page lists the reasons',
]

const overAdminApi = ', unless it uses an admin API (docs/operations/command-line.md)'

interface Page {
  readonly name: string
  /** One sentence. */
  readonly summary: string
  readonly details?: string
  readonly arguments?: readonly Argument[]
  readonly required?: readonly Option[]
  readonly options?: readonly Option[]
  /** Arguments after `postern`, one element per example. */
  readonly examples: readonly string[]
  /** Other inputs than settings, such as variables that route options name. */
  readonly alsoReads?: string
  /** Reasons for exit code 1. */
  readonly failures: readonly string[]
}

/** The page of a command that prints a result. */
interface PrintingPage extends Omit<Page, 'failures'> {
  /** Reasons for exit code 1, in addition to a refusal or failure that the error explains. */
  readonly failures?: readonly string[]
  /** Replaces the general line about refusals and failures. */
  readonly unavailable?: string
  /** An example of the document that `--json` prints. */
  readonly json: string
}

interface OperationPage<Given extends unknown[]> extends PrintingPage {
  /**
   * The main operation of the command. Its definition states the required right and whether a reason is
   * required.
   */
  readonly operation: OperationId
  /**
   * Set for a command whose options decide whether it changes something. It requires the reason of a change
   * itself.
   */
  readonly reason?: 'optional'
  /** Receives the arguments, then the options. */
  readonly call: (admin: AdminClient, ...given: Given) => Promise<Result>
  /** Allows a first key and client operators. */
  readonly forEveryKey?: true
}

interface DatabasePage<Given extends unknown[], Key extends keyof Config> extends PrintingPage {
  readonly access: Access
  /**
   * Why the admin API has no such operation, without a full stop; printed with the error and on the page of
   * commands.
   */
  readonly databaseOnly: string
  /** Settings other than those of the database; the command gets no others. */
  readonly settings?: readonly Key[]
  /** Receives the arguments, then the options. */
  readonly run: (invocation: Invocation<Key>, ...given: Given) => Promise<Result>
}

const accesses = new WeakMap<Command, Access>()
const databaseOnly = new WeakMap<Command, string | null>()

/**
 * Returns why a command only works on the database; `null` if it also works over the admin API; undefined for
 * groups, processes and commands that use neither.
 */
export function getDatabaseOnlyReason(command: Command): string | null | undefined {
  return databaseOnly.get(command)
}

/** Returns the access requirements of a command; undefined for groups, processes and profile commands. */
export function getAccess(command: Command): Access | undefined {
  return accesses.get(command)
}

/** Defines a command that calls an operation of the admin API: over HTTPS, or in its own process on the database. */
export function defineCommand<Given extends unknown[]>(group: Command, page: OperationPage<Given>): void {
  const { right, kind, reason } = operationIndex[page.operation]
  const access = { right, kind, reason: page.reason ?? reason, signsIn: true, forAuditors: right === 'audit' }
  const work = async (command: Command, given: Given): Promise<Result> => {
    const { openAdmin } = await import('./client/open.ts')
    const { admin, close } = await openAdmin(getPath(command), command.opts(), page.forEveryKey)
    try {
      return await page.call(admin, ...given)
    } finally {
      await close()
    }
  }
  definePrinting(group, { ...page, access, settings: [], databaseOnly: null }, work)
}

/** Defines a command that must work without an admin API, on the database of its own process. */
export function defineDatabaseCommand<Given extends unknown[], const Key extends keyof Config = never>(
  group: Command,
  page: DatabasePage<Given, Key>,
): void {
  const settings = page.settings ?? []
  definePrinting(group, { ...page, settings }, async (command, given: Given) => {
    const path = getPath(command)
    const { requireDatabaseBackend } = await import('./client/select-backend.ts')
    requireDatabaseBackend(command.opts<BackendOptions>(), path, page.databaseOnly)
    const { createInvocation } = await import('./invocation.ts')
    const invocation = createInvocation(path, page.access, command.opts(), settings)
    const result = await page.run(invocation, ...given)
    if (page.access.kind === 'change' && !invocation.audited)
      throw new Error(`postern ${path} has recorded nothing in the audit log`)
    return result
  })
}

interface Defined extends PrintingPage {
  readonly access: Access
  readonly settings: readonly (keyof Config)[]
  readonly databaseOnly: string | null
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the arguments and options that `work` declares
function definePrinting<Given extends unknown[]>(
  group: Command,
  page: Defined,
  work: (command: Command, given: Given) => Promise<Result>,
): void {
  const failures = [
    page.unavailable ?? 'refused or failed: the error states the reason',
    ...(page.failures ?? []),
  ]
  const isRemote = page.databaseOnly === null
  const requiredOptions = [...(page.required ?? []), ...requiredReason(page.access)]
  const options = [...(page.options ?? []), ...actOptions(page.access), ...backendOptions(isRemote)]
  const command = describe(group, { ...page, required: requiredOptions, options })
    .option('--json', 'print one JSON document instead of text')
    .action(async (...given: unknown[]) => {
      requireOptions(command, requiredOptions)
      // Commander appends the command itself.
      print(command, await work(command, given.slice(0, -1) as Given))
    })
  accesses.set(command, page.access)
  databaseOnly.set(command, page.databaseOnly)
  const settings = [...baseSettings, ...page.settings]
  command.addHelpText(
    'after',
    () =>
      `\nOutput with --json:\n  ${page.json}\n${helpEnd({ ...page, failures, settings, hasOperation: isRemote })}`,
  )
}

function print(command: Command, result: Result): void {
  const asJson = command.opts<{ json?: true }>().json === true
  command.configureOutput().writeOut?.(formatResult(result, asJson))
  if (result.failed === true) throw new FailedResult()
}

/**
 * Defines a command that uses neither the database nor the audit log, because it only changes a file of its
 * user.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the arguments and options that `run` declares
export function defineProfileCommand<Given extends unknown[]>(
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

/** Returns the options of every command that changes something or may show personal data. */
function actOptions({ kind, reason }: Access): Option[] {
  if (kind === 'read') return []
  return reason === 'required' ? [byOption()] : [reasonOption(), byOption()]
}

/** Defines a process that runs until it is stopped. */
export function defineRole(program: Command, page: Page & { readonly run: () => Promise<void> }): void {
  describe(program, page)
    .action(() => page.run())
    .addHelpText('after', () => helpEnd({ ...page, settings: requiredSettings }))
}

/**
 * Defines a command group. Call it with examples of the most common commands. `isOffline` marks a group whose
 * commands use no database.
 */
export function defineGroup(
  parent: Command,
  {
    name,
    summary,
    examples,
    isOffline = false,
  }: Pick<Page, 'name' | 'summary' | 'examples'> & { isOffline?: boolean },
): Command {
  const failures = isOffline ? groupFailures.slice(1) : groupFailures
  const settings = isOffline ? [] : baseSettings
  return parent
    .command(name)
    .summary(summary)
    .description(summary)
    .usage('<command>')
    .addHelpText('after', ({ command }) =>
      helpEnd({ examples, failures, settings, hasOperation: hasOperation(command) }),
    )
}

/** Reports whether a command, or one command of a group, works over the admin API. */
function hasOperation(command: Command): boolean {
  return getDatabaseOnlyReason(command) === null || command.commands.some(hasOperation)
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

/**
 * Checked here, because commander would report a misspelled option as a missing one, without its suggestion.
 */
function requireOptions(command: Command, options: readonly Option[] = []): void {
  const missing = options.find((option) => command.getOptionValue(option.attributeName()) === undefined)
  if (missing !== undefined) throw new UsageError(`${missing.flags} is required: ${missing.description}`)
}

/** Returns the path of a command, such as `account key add`. */
function getPath(command: Command): string {
  const { parent } = command
  return parent === null ? '' : `${getPath(parent)} ${command.name()}`.trimStart()
}

interface HelpEnd extends Pick<Page, 'examples' | 'failures' | 'alsoReads'> {
  readonly settings: readonly (keyof Config)[]
  readonly hasOperation?: boolean
}

function helpEnd({ examples, failures, settings, alsoReads, hasOperation = false }: HelpEnd): string {
  const names = (isRequired: boolean): string =>
    settings
      .filter((key) => requiredSettings.includes(key) === isRequired)
      .map(environmentName)
      .join(', ')
  const used = [names(false), alsoReads ?? ''].filter((text) => text !== '').join('; ')
  const needed = names(true)
  return [
    '',
    ...(examples.length === 0 ? [] : ['Examples:', ...examples.map((example) => `  postern ${example}`), '']),
    'Exit codes:',
    '  0  success',
    ...failures.map((failure, index) => `  ${index === 0 ? '1  ' : '   or '}${failure}`),
    '  2  invalid usage, or a missing or invalid setting',
    '',
    ...(needed === '' && used === ''
      ? []
      : ['Settings (environment variables, docs/reference/configuration.md):']),
    ...(needed === '' ? [] : [`  required  ${needed}${hasOperation ? overAdminApi : ''}`]),
    ...(used === '' ? [] : [`  used      ${used}`]),
    '',
  ].join('\n')
}
