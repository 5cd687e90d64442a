/**
 * The one order of the folders of `gateway/src`, lowest first. A file imports only from its own folder and from folders
 * before it. Folders in one pair of brackets stand side by side: none imports another. The linter and
 * `scripts/architecture.ts` both read these lists. Pure.
 */
import { dirname } from 'node:path/posix'

export type Order = readonly (string | readonly string[])[]

/** A folder that is listed neither here nor in `innerOrders` has no place and must get one. */
export const folderOrder: Order = [
  // Settings, log, metrics, database, broker: imports no other folder. Its lists of settings and metrics name the domain.
  'platform',
  'platform/broker',
  // Token buckets that all processes share through Redis.
  'platform/limiter',
  // Spans, and their export to a collector.
  'platform/tracing',
  // Of values in the database: format, keys, and the interface for the folders that own the tables.
  'platform/encryption',
  'platform/membership',
  // Who did what, and why.
  'audit',
  // What a client reads in every answer: result codes, envelope, times, message keys.
  'contract',
  // What can be sent.
  'channels',
  // What travels between the stages, and the queues it travels through.
  'jobs',
  // PDUs and connections of SMPP, for the connector to carriers and the server for clients.
  'smpp',
  // The carriers' protocols.
  'connectors',
  'accounts',
  // Who may run which command.
  'operators',
  'routes',
  // Who may send what: rules over tables that are cached in memory.
  'trust',
  // Tables and their statements. One folder writes a table.
  'records',
  'records/ledger',
  'records/usage',
  'records/traffic',
  'records/feed',
  'records/reports',
  'records/replies',
  'records/waiting',
  'records/parked',
  'records/attempts',
  'records/messages',
  'records/timeline',
  'files/image',
  'files',
  'forms',
  'webhooks',
  // All columns with secrets, and their re-encryption.
  'secrets',
  // The way of a message. The stages hand work on through a queue or a table and share what lies before them.
  'pipeline/scheduling',
  // How much the first queue may take: intake reports to it, accept asks it.
  'pipeline/admission',
  // The states of a step at a route, without the route.
  'pipeline/dispatch/step',
  ['pipeline/accept', 'pipeline/intake', 'pipeline/dispatch', 'pipeline/receipts', 'pipeline/settle'],
  'parked',
  // What operators do: once, for the command line and the admin API.
  'acts',
  // HTTP.
  'api/limits',
  'api/tokens',
  'api/idempotency',
  'api/server',
  'api/reference',
  // SMPP for clients: the second way in, with the same checks.
  'smpp-server',
  // The HTTP API of operators.
  'admin',
  // Processes, and the command line.
  'roles',
  'commands',
]

/**
 * Folders whose own files both serve their subfolders (`channel.ts`) and collect them (`registry.ts`). Between the
 * folder and a subfolder both directions are allowed, circles apart; between two subfolders this order holds.
 */
export const innerOrders: Readonly<Record<string, Order>> = {
  channels: [
    'channels/text',
    // Rich channels fall back to these.
    ['channels/sms', 'channels/mms'],
    'channels/international',
    // What the three Kakao channels share.
    'channels/kakao',
    ['channels/rcs', 'channels/alimtalk', 'channels/friendtalk', 'channels/brandmessage'],
  ],
  connectors: [
    'connectors/providers/kit',
    [
      'connectors/kakao',
      'connectors/maap',
      'connectors/mm7',
      'connectors/omni',
      'connectors/providers',
      'connectors/rbm',
      'connectors/sandbox',
      'connectors/smpp',
    ],
  ],
  trust: [
    'trust/advertising',
    ['trust/abuse', 'trust/origin', 'trust/quiet-hours', 'trust/senders', 'trust/stops', 'trust/suppression'],
  ],
  'api/reference': ['api/reference/examples', ['api/reference/operations', 'api/reference/page']],
  admin: ['admin/console', 'admin/now', 'admin/sandbox', 'admin/sign-in', 'admin/operations', 'admin/live'],
  commands: [
    // The client of the admin API, and profiles.
    'commands/client',
    // Others name accounts, too.
    'commands/account',
    // Configurations of other gateways, for the commands of routes.
    'commands/import',
    [
      'commands/audit',
      'commands/cell',
      'commands/database',
      'commands/demo',
      'commands/ledger',
      'commands/message',
      'commands/operator',
      'commands/parked',
      'commands/profile',
      'commands/protection',
      'commands/route',
      'commands/sender',
      'commands/suppression',
      'commands/secrets',
      'commands/system',
      'commands/traffic',
      'commands/trust',
    ],
  ],
}

/** Why a file may not import another; null when it may. Paths are relative to `gateway/src`. */
export function forbiddenImport(importing: string, imported: string): string | null {
  const from = dirname(importing)
  const to = dirname(imported)
  // Files beside the folders start the program: they import what they like, and nothing imports them.
  if (from === '.') return null
  for (const folder of [from, to])
    if (folder !== '.' && !hasPlace(folder)) return `${folder}/ has no place in the order of folders`
  if (to === '.') return `${from}/ must not import ${imported}, which starts the program`
  if (from === to) return null
  const [outerFrom, outerTo] = [outerOf(from), outerOf(to)]
  if (outerFrom !== outerTo) return compare(folderOrder, outerFrom, outerTo)
  // A folder and its own subfolder.
  if (from === outerFrom || to === outerTo) return null
  return compare(innerOrders[outerFrom]!, from, to)
}

/** Whether a folder is listed. */
export function hasPlace(folder: string): boolean {
  return [folderOrder, ...Object.values(innerOrders)].some((order) => rank(order, folder) >= 0)
}

/** The listed folder of `folderOrder` that it is, or lies in. */
function outerOf(folder: string): string {
  const outer = Object.entries(innerOrders).find(([, order]) => rank(order, folder) >= 0)
  return outer?.[0] ?? folder
}

function compare(order: Order, from: string, to: string): string | null {
  const difference = rank(order, to) - rank(order, from)
  if (difference < 0) return null
  if (difference > 0) return `${from}/ must not import from ${to}/, which comes after it`
  const instead = from.startsWith('pipeline/')
    ? 'hand work on through a queue or a table'
    : 'move what they share before both'
  return `${from}/ and ${to}/ must not import each other: ${instead}`
}

function rank(order: Order, folder: string): number {
  return order.findIndex((place) => place === folder || (Array.isArray(place) && place.includes(folder)))
}
