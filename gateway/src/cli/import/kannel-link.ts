/**
 * Converts a Kannel group `smsc` of the type smpp to a route: protocol options, rules, and notes on settings
 * without a counterpart.
 */
import type { ImportedRoute } from './imported.ts'
import { omitUndefined, passwordVariable, readNumber, withoutReferences } from './imported.ts'
import type { KannelGroup } from './kannel-file.ts'
import { findLinkAccounts, readLinkPrefixes } from './kannel-rules.ts'

/** Values of alt-charset with a counterpart in the protocol's options. */
const alphabets: Readonly<Record<string, string>> = {
  GSM: 'gsm7',
  'ISO-8859-1': 'latin1',
  LATIN1: 'latin1',
  ASCII: 'ascii',
  'US-ASCII': 'ascii',
}

/** Settings of a link that are read below, or have no meaning here. */
const unneeded = new Set([
  ...[
    'group',
    'smsc',
    'smsc-id',
    'smsc-admin-id',
    'host',
    'port',
    'receive-port',
    'transceiver-mode',
    'use-ssl',
  ],
  ...[
    'ssl-client-certkey-file',
    'smsc-username',
    'smsc-password',
    'system-type',
    'service-type',
    'address-range',
  ],
  ...[
    'max-pending-submits',
    'enquire-link-interval',
    'reconnect-delay',
    'throughput',
    'wait-ack',
    'alt-charset',
  ],
  ...['source-addr-ton', 'source-addr-npi', 'source-addr-autodetect', 'dest-addr-ton', 'dest-addr-npi'],
  ...[
    'allowed-prefix',
    'denied-prefix',
    'preferred-prefix',
    'allowed-smsc-id',
    'preferred-smsc-id',
    'dead-start',
  ],
  // `msg-id-type` is unneeded because receipts are matched in both number bases of an id; the log is that of the process.
  ...['msg-id-type', 'log-file', 'log-level', 'interface-version', 'connection-timeout', 'my-number'],
])

export function readLink(
  group: KannelGroup,
  id: string,
  clientIds: ReadonlyMap<KannelGroup, string>,
): ImportedRoute {
  const { line } = group
  const notes: string[] = []
  const values = withoutReferences(group.values, notes)
  const number = (name: string): number | undefined => readNumber(values.get(name), name, notes)
  const milliseconds = (name: string): number | undefined => multiplied(number(name), 1000)
  const { prefixes, isExpressed } = readLinkPrefixes(values, notes)
  const { accounts, isMatched } = findLinkAccounts(values, clientIds, notes)
  noteTheRest(values, notes)
  const reconnect = milliseconds('reconnect-delay')
  return {
    id,
    source: `line ${line}`,
    priority: 100,
    prefixes,
    accounts,
    notes,
    partsPerSecond: perSecond(number('throughput')),
    disabled: isYes(values.get('dead-start')) || !isExpressed || !isMatched,
    options: omitUndefined({
      host: values.get('host'),
      port: number('port'),
      tls: readTls(values),
      interfaceVersion: values.get('interface-version') === '50' ? '5.0' : undefined,
      systemId: values.get('smsc-username') ?? '',
      password: `env:${passwordVariable(id)}`,
      // The default of Kannel.
      systemType: values.get('system-type') ?? 'VMA',
      addressRange: values.get('address-range') || undefined,
      serviceType: values.get('service-type'),
      bind: isYes(values.get('transceiver-mode')) ? undefined : 'pair',
      window: number('max-pending-submits'),
      source: address(number('source-addr-ton'), number('source-addr-npi')),
      destination: address(number('dest-addr-ton'), number('dest-addr-npi')),
      defaultAlphabet: readAlphabet(values, notes),
      enquireIntervalMs: milliseconds('enquire-link-interval'),
      responseTimeoutMs: milliseconds('wait-ack'),
      reconnectMinMs: reconnect,
      reconnectMaxMs: reconnect,
    }),
  }
}

function readTls(values: ReadonlyMap<string, string>): object | undefined {
  if (!isYes(values.get('use-ssl'))) return undefined
  const file = values.get('ssl-client-certkey-file')
  return file === undefined ? {} : { cert: `file:${file}`, key: `file:${file}` }
}

function readAlphabet(values: ReadonlyMap<string, string>, notes: string[]): string | undefined {
  const name = values.get('alt-charset')
  if (name === undefined) return undefined
  const alphabet = alphabets[name.toUpperCase()]
  if (alphabet === undefined)
    notes.push(`alt-charset ${name} has no counterpart: ask the carrier for the value of dataCoding`)
  return alphabet === 'gsm7' ? undefined : alphabet
}

function noteTheRest(values: ReadonlyMap<string, string>, notes: string[]): void {
  if (!isYes(values.get('transceiver-mode')) && values.get('receive-port') === undefined)
    notes.push(
      'The link has no receiver and no delivery reports; the route binds a receiver on the same port (bind: pair)',
    )
  if (values.has('receive-port') && !['0', values.get('port')].includes(values.get('receive-port')))
    notes.push('receive-port differs from port, but both sessions of a pair use one port; ask the carrier')
  if (!['34', '50'].includes(values.get('interface-version') ?? '34'))
    notes.push('interface-version is neither 34 nor 50: the route binds with SMPP 3.4')
  const rest = [...values.keys()].filter((name) => !unneeded.has(name))
  if (rest.length > 0) notes.push(`Not imported: ${rest.join(', ')}`)
}

function address(ton: number | undefined, npi: number | undefined): object | undefined {
  return ton === undefined && npi === undefined ? undefined : omitUndefined({ ton, npi })
}

/** Rounds to at least 1, because 0 would mean no limit. */
function perSecond(throughput: number | undefined): number {
  return throughput === undefined || throughput === 0 ? 0 : Math.max(1, Math.floor(throughput))
}

/** Returns undefined for 0, so that the default applies. */
function multiplied(value: number | undefined, factor: number): number | undefined {
  return value === undefined || value === 0 ? undefined : Math.round(value * factor)
}

function isYes(text: string | undefined): boolean {
  return /^(true|yes|on|1)$/i.test(text ?? '')
}
