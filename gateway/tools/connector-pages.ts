/**
 * Builds the pages of docs/reference/connectors: a page per kind of connector from its definition, and their list. The
 * pages in git contain the prose; the documentation site adds the output of `connectorReference`.
 */
import { channelNames } from '../src/channels/channel-names.ts'
import type { ConnectorKind } from '../src/carriers/connectors/options/kind.ts'
import { describeOptions, type OptionRow } from '../src/carriers/connectors/describe.ts'
import { connectorKinds } from '../src/carriers/connectors/registry.ts'
import { toCell, toTable } from './markdown.ts'

const kinds: readonly ConnectorKind[] = Object.values(connectorKinds)

/** Returns the pages in git by path in the repository. */
export function connectorPages(): Map<string, string> {
  return new Map([
    ['docs/reference/connectors/README.md', listPage()],
    ...kinds.map((kind): [string, string] => [`docs/reference/connectors/${kind.name}.md`, kindPage(kind)]),
  ])
}

/** Returns options, events and details of each kind as Markdown, by name. */
export function connectorReference(): Map<string, string> {
  return new Map(kinds.map((kind) => [kind.name, reference(kind)]))
}

function listPage(): string {
  return [
    '# Connectors',
    '',
    'A connector is the protocol of a route: `--protocol` of `postern route put`. [Connect a carrier](../../operations/connect-a-carrier.md)',
    'creates a route, [add a connector](../../contributing/add-a-connector.md) a protocol.',
    '',
    toTable([
      ['Protocol', 'Channels', 'What it is'],
      ...kinds.map(({ name, channels, summary }) => [
        `[${name}](${name}.md)`,
        channels.length === channelNames.length ? 'all' : channels.join(', '),
        summary,
      ]),
    ]),
    '',
    '- `postern route put --help NAME` prints an example, the options, and the meaning of the codes of the carrier.',
    '- `postern route try ID --to NUMBER --text Hello` prints the request of a route with secrets masked, and sends it with `--send`.',
    '- A carrier with callbacks calls `https://<api>/inbound/<route>`. If a provider does not sign them, `callbackToken` is the last segment.',
    '- [Missing results](../../concepts/how-a-step-is-submitted.md#missing-results) lists the carriers that can be queried.',
    '',
  ].join('\n')
}

function kindPage({ name, summary, channels, example, notes = '' }: ConnectorKind): string {
  const given = Object.keys(example).length === 0 ? '' : ` --options '${JSON.stringify(example, null, 2)}'`
  return [
    `# ${name}`,
    '',
    summary,
    '',
    '```sh',
    `postern route put my-route --protocol ${name} --channels ${channels.join(',')}${given}`,
    '```',
    '',
    notes,
    '',
    '## Options',
    '',
    `<!-- generated: connector ${name} -->`,
    '',
    `\`postern route put --help ${name}\` prints them.`,
    '',
    '<!-- /generated -->',
    '',
  ].join('\n')
}

function reference({ options, events, details }: ConnectorKind): string {
  const rows = describeOptions(options)
  return [
    ...(rows.length === 0 ? ['None.'] : optionTable(rows)),
    ...eventTable(events),
    ...(details === undefined ? [] : ['', details]),
  ].join('\n')
}

function optionTable(rows: readonly OptionRow[]): string[] {
  return [
    ...referenceNote(rows),
    ...maskNote(rows),
    '',
    toTable([
      ['Option', 'Value', 'Default', 'Meaning'],
      ...rows.map((row) => {
        const defaultValue = row.required
          ? '**required**'
          : row.standard === undefined
            ? ''
            : `\`${row.standard}\``
        const secret = row.secret ? ' Keep it out of the database: give a reference.' : ''
        return [`\`${row.name}\``, toCell(row.type), defaultValue, `${toCell(row.description)}${secret}`]
      }),
    ]),
  ]
}

function referenceNote(rows: readonly OptionRow[]): string[] {
  const names = rows.filter(({ reference }) => reference).map(({ name }) => `\`${name}\``)
  if (names.length === 0) return []
  return [
    'A value `env:NAME` is read from the environment of the processes, `file:/path` from a file. A file is read',
    'again when it changes: once the open submissions of the link have a response, it is closed and opened again with the new content.',
    'Settings of the gateway cannot be [referred to](../../operations/secrets.md#what-routes-may-refer-to).',
    `References are allowed in ${names.join(', ')}.`,
  ]
}

/** Explains when a stored secret must be sent again. */
function maskNote(rows: readonly OptionRow[]): string[] {
  const marked = rows.filter(({ address }) => address).map(({ name }) => name)
  const outer = marked.filter((name) => !marked.some((other) => name.startsWith(`${other}.`)))
  const addresses = outer.map((name) => `\`${name}\``)
  if (addresses.length === 0 || !rows.some(({ secret }) => secret)) return []
  return [
    `Where a route is changed over the admin API, \`***\` keeps the stored secret unless one of these options changes: ${addresses.join(', ')}.`,
  ]
}

function eventTable(events: ConnectorKind['events']): string[] {
  if (Object.keys(events).length === 0) return []
  return [
    '',
    '## Events',
    '',
    'Counted for each route by `postern_connector_events_total`.',
    '',
    toTable([
      ['Event', 'Meaning'],
      ...Object.entries(events).map(([name, meaning]) => [`\`${name}\``, toCell(meaning)]),
    ]),
  ]
}
