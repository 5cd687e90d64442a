/**
 * The one order of the folders of `gateway/src`, lowest first. A file imports only from its own folder and from folders
 * before it; the stages of the pipeline stand apart: they hand work on through a queue or a table and use what lies
 * before them. The linter and `scripts/architecture.ts` both read this list. Pure.
 */

/** A folder that is not listed belongs to the nearest listed one above it. */
export const folderOrder = [
  // Knows no message: settings, log, metrics, database, broker.
  'platform',
  // What a client reads in every answer: result codes, envelope, times, message keys.
  'contract',
  // What can be sent.
  'channels',
  // What travels between the stages, and the queues it travels through.
  'jobs',
  // The carriers' protocols.
  'connectors',
  'accounts',
  'routes',
  // Tables and their statements. One folder writes a table.
  'records',
  'records/ledger',
  'records/usage',
  'records/reports',
  'records/waiting',
  'records/attempts',
  'records/messages',
  'records/timeline',
  'files',
  'forms',
  'webhooks',
  // The way of a message.
  'pipeline/scheduling',
  'pipeline/accept',
  'pipeline/intake',
  'pipeline/dispatch',
  'pipeline/receipts',
  'pipeline/settle',
  'parked',
  // HTTP.
  'api/limits',
  'api/tokens',
  'api/idempotency',
  'api/server',
  'api/reference',
  // Processes, and the command line.
  'roles',
  'commands',
] as const

/** Side by side: none imports another. */
const stages: ReadonlySet<string> = new Set([
  'pipeline/accept',
  'pipeline/intake',
  'pipeline/dispatch',
  'pipeline/receipts',
  'pipeline/settle',
])

/** Why a file may not import another; null when it may. Paths are relative to `gateway/src`. */
export function forbiddenImport(importing: string, imported: string): string | null {
  const from = placeOf(importing)
  const to = placeOf(imported)
  // Files beside the folders start the program: they import what they like, and nothing imports them.
  if (from === null || from === to) return null
  if (to === null) return `${from}/ must not import ${imported}, which starts the program`
  if (rank(to) > rank(from)) return `${from}/ must not import from ${to}/, which comes after it`
  if (stages.has(from) && stages.has(to))
    return `the stages ${from}/ and ${to}/ must not import each other: hand work on through a queue or a table`
  return null
}

function placeOf(file: string): string | null {
  const holds = folderOrder.filter((folder) => file.startsWith(`${folder}/`))
  return holds.reduce<string | null>(
    (deepest, folder) => (folder.length > (deepest?.length ?? 0) ? folder : deepest),
    null,
  )
}

function rank(folder: string): number {
  return folderOrder.findIndex((listed) => listed === folder)
}
