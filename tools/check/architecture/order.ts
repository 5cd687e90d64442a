/**
 * The order of the folders of `gateway/src`, lowest first. A file imports only from its own folder and from
 * earlier folders. Folders in one pair of brackets must not import each other. The linter and
 * `tools/check/architecture.ts` read these lists.
 */
import { dirname } from 'node:path/posix'

export type Order = readonly (string | readonly string[])[]

/** Every folder must be listed here or in `innerOrders`. */
export const folderOrder: Order = [
  // Settings, log, metrics, database and broker. Imports no other folder.
  'platform',
  'platform/broker',
  // Token buckets that all processes share through Redis.
  'platform/limiter',
  // Spans, and their export to a collector.
  'platform/tracing',
  // Encrypted values: format and keys, and the interface for folders that own tables.
  'platform/encryption',
  'platform/membership',
  // Contents of every response to a client: result codes, envelope, times and message keys.
  'contract',
  // Message types and their limits.
  'channels',
  // Jobs and queues between the stages.
  'jobs',
  // SMPP PDUs and connections, for the carrier connector and the client server.
  'carriers/smpp',
  // The carriers' protocols.
  'carriers/connectors',
  // Actor, source and reason of each change.
  'identity/audit',
  'identity/accounts',
  // Operators, their rights and their keys.
  'identity/operators',
  'carriers/routes',
  // Rules that decide who may send which message, over cached tables.
  'trust',
  // Tables and their statements. Each table is written by one folder.
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
  'records/batches',
  'records/messages',
  'records/timeline',
  'records/files/image',
  'records/files',
  'records/forms',
  // The stages of a message. They pass work on through a queue or a table and share the folders before them.
  'pipeline/scheduling',
  // Limits the messages in the intake queue. Intake reports progress; accept requests capacity.
  'pipeline/admission',
  // The states of a step on a route. They reach the route only through ports.
  'pipeline/dispatch/step',
  ['pipeline/accept', 'pipeline/intake', 'pipeline/dispatch', 'pipeline/receipts', 'pipeline/settle'],
  // Batches: uploads, their check, and the creation of their messages.
  'pipeline/batches',
  // Client endpoints: webhooks, the HTTP API and the SMPP server.
  'edge/webhooks',
  'edge/api/limits',
  'edge/api/tokens',
  'edge/api/idempotency',
  'edge/api/server',
  'edge/api/reference',
  'edge/smpp',
  // Operations of operators, defined once for the admin API, the console and the command line.
  'operations',
  // The operations over HTTP.
  'admin',
  // Processes, and the command line.
  'roles',
  'cli',
]

/**
 * Folders whose own files both serve their subfolders (`channel.ts`) and collect them (`registry.ts`). A
 * folder and its subfolder may import each other, except for cycles; subfolders follow this order.
 */
export const innerOrders: Readonly<Record<string, Order>> = {
  platform: ['platform/settings', 'platform/logging', 'platform/time', 'platform/database'],
  channels: [
    'channels/text',
    // Fallbacks of rich channels.
    ['channels/sms', 'channels/mms'],
    'channels/international',
    // Shared by the three Kakao channels.
    'channels/kakao',
    ['channels/rcs', 'channels/alimtalk', 'channels/friendtalk', 'channels/brandmessage'],
  ],
  'carriers/connectors': [
    'carriers/connectors/options',
    'carriers/connectors/http',
    'carriers/connectors/providers/kit',
    [
      'carriers/connectors/kakao',
      'carriers/connectors/maap',
      'carriers/connectors/mm7',
      'carriers/connectors/omni',
      'carriers/connectors/providers',
      'carriers/connectors/rbm',
      'carriers/connectors/sandbox',
      'carriers/connectors/smpp',
    ],
  ],
  trust: [
    'trust/advertising',
    [
      'trust/abuse',
      'trust/batches',
      'trust/origin',
      'trust/quiet-hours',
      'trust/senders',
      'trust/blocked-accounts',
      'trust/suppression',
    ],
  ],
  'records/files': ['records/files/storage'],
  'pipeline/dispatch': [
    'pipeline/dispatch/rate',
    'pipeline/dispatch/queue',
    'pipeline/dispatch/runner',
    'pipeline/dispatch/lookups',
    'pipeline/dispatch/ownership',
  ],
  'edge/webhooks': ['edge/webhooks/push'],
  'edge/api/reference': [
    'edge/api/reference/examples',
    ['edge/api/reference/operations', 'edge/api/reference/page'],
  ],
  'edge/smpp': ['edge/smpp/delivery', 'edge/smpp/submit', 'edge/smpp/session'],
  operations: [
    [
      'operations/audit',
      'operations/batches',
      'operations/caps',
      'operations/cells',
      'operations/operators',
      'operations/parked',
      'operations/rules',
      'operations/secrets',
      'operations/suppression',
      'operations/token-keys',
      'operations/usage',
    ],
    ['operations/protection', 'operations/routes', 'operations/senders', 'operations/sign-in'],
    ['operations/accounts', 'operations/ledger', 'operations/now', 'operations/webhooks'],
    ['operations/credentials', 'operations/messages'],
    'operations/sandbox',
  ],
  admin: ['admin/console', 'admin/live'],
  cli: [
    // The client of the admin API, and profiles.
    'cli/client',
    'cli/account',
    // Imports configurations of other gateways for route commands.
    'cli/import',
    [
      'cli/audit',
      'cli/cell',
      'cli/database',
      'cli/demo',
      'cli/ledger',
      'cli/message',
      'cli/operator',
      'cli/parked',
      'cli/profile',
      'cli/protection',
      'cli/route',
      'cli/sender',
      'cli/suppression',
      'cli/secrets',
      'cli/system',
      'cli/traffic',
      'cli/trust',
    ],
  ],
}

/** Returns why an import is forbidden, or null if it is allowed. Paths are relative to `gateway/src`. */
export function forbiddenImport(importing: string, imported: string): string | null {
  const from = dirname(importing)
  const to = dirname(imported)
  // Top-level files start the program: they may import everything and must not be imported.
  if (from === '.') return null
  for (const folder of [from, to])
    if (folder !== '.' && !isListedFolder(folder)) return `${folder}/ is missing from folderOrder`
  if (to === '.') return `${from}/ must not import ${imported}, which starts the program`
  if (from === to) return null
  const [outerFrom, outerTo] = [findOuter(from), findOuter(to)]
  if (outerFrom !== outerTo) return compare(folderOrder, outerFrom, outerTo)
  // A folder and its subfolder.
  if (from === outerFrom || to === outerTo) return null
  return compare(innerOrders[outerFrom]!, from, to)
}

export function isListedFolder(folder: string): boolean {
  return [folderOrder, ...Object.values(innerOrders)].some((order) => rank(order, folder) >= 0)
}

/** Returns the entry of `folderOrder` that is this folder or contains it. */
function findOuter(folder: string): string {
  const outer = Object.entries(innerOrders).find(([, order]) => rank(order, folder) >= 0)
  return outer?.[0] ?? folder
}

function compare(order: Order, from: string, to: string): string | null {
  const difference = rank(order, to) - rank(order, from)
  if (difference < 0) return null
  if (difference > 0) return `${from}/ must not import from ${to}/, which comes after it`
  const instead = from.startsWith('pipeline/')
    ? 'pass work on through a queue or a table'
    : 'move shared code to a folder before both'
  return `${from}/ and ${to}/ must not import each other: ${instead}`
}

function rank(order: Order, folder: string): number {
  return order.findIndex((place) => place === folder || (Array.isArray(place) && place.includes(folder)))
}
