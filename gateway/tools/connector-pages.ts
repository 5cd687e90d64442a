/** docs/connectors: a page for each kind of connector, from its definition, and their list. */
import type { ConnectorKind } from '../src/connectors/kind.ts'
import { describeOptions, type OptionRow } from '../src/connectors/describe.ts'
import { providers } from '../src/connectors/providers/index.ts'
import { connectorKinds } from '../src/connectors/registry.ts'

/** By path in the repository. */
export function connectorPages(): Map<string, string> {
  const kinds = Object.values(connectorKinds)
  return new Map([
    ['docs/connectors/README.md', listPage(kinds)],
    ...kinds.map((kind): [string, string] => [`docs/connectors/${kind.name}.md`, kindPage(kind)]),
  ])
}

function listPage(kinds: readonly ConnectorKind[]): string {
  return [
    '# Connectors',
    '',
    'The protocols that a route can speak, `--protocol` of `postern route put`. These pages are generated from',
    '`gateway/src/connectors`. [Connect a carrier](../add-a-carrier.md) shows how to create a route,',
    '[Add a connector](../add-a-connector.md) how to add a protocol.',
    '',
    '| Protocol | Channels | |',
    '| --- | --- | --- |',
    ...kinds.map(
      ({ name, channels, summary }) => `| [${name}](${name}.md) | ${channels.join(', ')} | ${summary} |`,
    ),
    '',
  ].join('\n')
}

function kindPage(kind: ConnectorKind): string {
  const { name, summary, channels, takes, options, example, events, notes, inbound } = kind
  const rows = describeOptions(options)
  const given = rows.length === 0 ? '' : ` --options '${JSON.stringify(example, null, 2)}'`
  return [
    `# ${name}`,
    '',
    `${summary} Generated from \`gateway/src/connectors/${sourcePath(name)}\`.`,
    '',
    '```sh',
    `npm run postern -- route put my-route --protocol ${name} --channels ${channels.join(',')}${given}`,
    '```',
    '',
    takes === 'parts'
      ? 'A long text is submitted in parts, each with its own answer and receipt.'
      : 'A message is submitted as a whole, with one answer and one receipt.',
    ...(inbound === undefined
      ? []
      : ['', 'The carrier sends its requests to `/inbound/<route>/` at the address of the API.']),
    '',
    '## Options',
    '',
    ...(rows.length === 0 ? ['None.'] : optionTable(rows)),
    '',
    ...eventTable(events),
    ...(notes === undefined ? [] : ['## Notes', '', notes, '']),
  ].join('\n')
}

function optionTable(rows: readonly OptionRow[]): string[] {
  return [
    ...referenceNote(rows),
    ...maskNote(rows),
    '',
    '| Option | Value | Default | Meaning |',
    '| --- | --- | --- | --- |',
    ...rows.map((row) => {
      const standard = row.required ? '**required**' : row.standard === undefined ? '' : `\`${row.standard}\``
      const secret = row.secret ? ' Keep it out of the database: give a reference.' : ''
      return `| \`${row.name}\` | ${escaped(row.type)} | ${standard} | ${escaped(row.description)}${secret} |`
    }),
  ]
}

function referenceNote(rows: readonly OptionRow[]): string[] {
  const names = rows.filter(({ reference }) => reference).map(({ name }) => `\`${name}\``)
  if (names.length === 0) return []
  return [
    'A value `env:NAME` is read from the environment of the processes, `file:/path` from a file. A file is read',
    'again when it changes: the link is closed, when its open submissions are answered, and opened with the new content.',
    'Settings of the gateway cannot be [referred to](../operations/secrets.md#what-routes-may-refer-to).',
    `References are allowed in ${names.join(', ')}.`,
  ]
}

/** When a stored secret has to be given again. */
function maskNote(rows: readonly OptionRow[]): string[] {
  const marked = rows.filter(({ address }) => address).map(({ name }) => name)
  const outer = marked.filter((name) => !marked.some((other) => name.startsWith(`${other}.`)))
  const addresses = outer.map((name) => `\`${name}\``)
  if (addresses.length === 0 || !rows.some(({ secret }) => secret)) return []
  return [
    `Where a route is changed over the admin API, \`***\` keeps a stored secret as long as these stay as they are: ${addresses.join(', ')}.`,
  ]
}

function eventTable(events: ConnectorKind['events']): string[] {
  if (Object.keys(events).length === 0) return []
  return [
    '## Events',
    '',
    'Counted for each route by `postern_connector_events_total`.',
    '',
    '| Event | Meaning |',
    '| --- | --- |',
    ...Object.entries(events).map(([name, meaning]) => `| \`${name}\` | ${escaped(meaning)} |`),
    '',
  ]
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|')
}

/** A folder may have several kinds: `maap` and `maap-kt`. */
function sourcePath(name: string): string {
  const isProvider = providers.some((provider) => provider.name === name)
  return isProvider ? `providers/${name}.ts` : name.split('-')[0]!
}
