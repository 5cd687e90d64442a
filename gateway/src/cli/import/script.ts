/**
 * Formats an imported configuration as a shell script of `postern` commands, with open decisions as comments.
 */
import type { ImportedConfiguration, ImportedAccount, ImportedRoute } from './imported.ts'

export interface Command {
  /** Arguments after `postern`. */
  readonly args: readonly string[]
  readonly notes: readonly string[]
}

export function toCommands({ accounts, routes }: ImportedConfiguration, channels: string): Command[] {
  return [
    ...accounts.map(createAccount),
    ...routes.toSorted((a, b) => a.priority - b.priority).map((route) => putRoute(route, channels)),
  ]
}

function createAccount({ clientId, name, sendLimit, notes }: ImportedAccount): Command {
  const limit = sendLimit === undefined ? [] : ['--limits-send', String(sendLimit)]
  return { args: ['account', 'create', '--name', name, '--client-id', clientId, ...limit], notes }
}

/** Options that have the default of `postern route put` are omitted. */
function putRoute(route: ImportedRoute, channels: string): Command {
  const { id, priority, partsPerSecond, accounts, prefixes, disabled, options, notes, source } = route
  return {
    args: [
      ...['route', 'put', id, '--protocol', 'smpp', '--channels', channels],
      ...(priority === 100 ? [] : ['--priority', String(priority)]),
      ...(partsPerSecond === 0 ? [] : ['--parts-per-second', String(partsPerSecond)]),
      ...(accounts.length === 0 ? [] : ['--accounts', accounts.join(',')]),
      ...(prefixes.length === 0 ? [] : ['--prefixes', prefixes.join(',')]),
      ...(disabled ? ['--disabled'] : []),
      ...['--options', JSON.stringify(options)],
    ],
    notes: [`${id}, ${source}`, ...notes],
  }
}

export function toScript(imported: ImportedConfiguration, channels: string, file: string): string[] {
  const { accounts, routes, secrets, notes } = imported
  return [
    `# From ${file}: routes ${routes.length}, accounts ${accounts.length}. Read it, correct it, then run it in a shell.`,
    ...(secrets.length === 0 ? [] : ['#', '# Set these variables here and for the workers:']),
    ...secrets.map(({ name, source }) => `#   ${name}  (${source})`),
    ...(notes.length === 0 ? [] : ['#', '# Not imported:']),
    ...notes.map((note) => `#   ${note}`),
    ...toCommands(imported, channels).flatMap((command) => [
      '',
      ...command.notes.map((note) => `# ${note}`),
      `postern ${command.args.map(quote).join(' ')}`,
    ]),
  ]
}

/** Quotes for any POSIX shell. Contents of a third-party file must not become commands. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
