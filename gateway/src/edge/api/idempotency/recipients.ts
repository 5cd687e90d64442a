/**
 * Removes recipients from the response to an omni send before it is stored, and restores them from the
 * repeated request. Redis then holds no phone number that would have to be erased.
 */

interface ResponseEntry {
  readonly to?: unknown
}

/** Removes each recipient that the body of the request has at the same position; others stay. */
export function withoutRecipients(answer: string, request: unknown): string {
  return replace(answer, listRecipients(request), (entry, to) =>
    // JSON omits undefined values.
    typeof to === 'string' && entry.to === to ? { ...entry, to: undefined } : entry,
  )
}

/** Restores the recipients; responses that were stored with theirs stay as they are. */
export function withRecipients(answer: string, request: unknown): string {
  return replace(answer, listRecipients(request), (entry, to) => ('to' in entry ? entry : { to, ...entry }))
}

function replace(
  answer: string,
  recipients: readonly unknown[],
  change: (entry: ResponseEntry, to: unknown) => ResponseEntry,
): string {
  if (recipients.length === 0) return answer
  const body = JSON.parse(answer) as { readonly data?: { readonly destinations?: readonly ResponseEntry[] } }
  const destinations = body.data?.destinations
  if (destinations === undefined) return answer
  const changed = destinations.map((entry, index) => change(entry, recipients[index]))
  return JSON.stringify({ ...body, data: { ...body.data, destinations: changed } })
}

/** Returns the recipients by position; empty unless the request is an omni send. */
function listRecipients(request: unknown): readonly unknown[] {
  const { destinations } = (request ?? {}) as { readonly destinations?: unknown }
  return Array.isArray(destinations)
    ? destinations.map((entry: unknown) => (entry as ResponseEntry | null)?.to)
    : []
}
