/**
 * The answer to an omni send names its recipients, and so does every repetition of the request: the answer is stored without
 * them and completed from the request that it answers. Redis holds no number then, and nothing there has to be erased. Pure.
 */

interface Named {
  readonly to?: unknown
}

/** `request`: the body of the request. A recipient that it does not have in this place stays in the answer. */
export function withoutRecipients(answer: string, request: unknown): string {
  return replace(answer, recipientsOf(request), (entry, to) =>
    // Left out of the JSON.
    typeof to === 'string' && entry.to === to ? { ...entry, to: undefined } : entry,
  )
}

/** Answers that were stored with their recipients stay as they are. */
export function withRecipients(answer: string, request: unknown): string {
  return replace(answer, recipientsOf(request), (entry, to) => ('to' in entry ? entry : { to, ...entry }))
}

function replace(
  answer: string,
  recipients: readonly unknown[],
  change: (entry: Named, to: unknown) => Named,
): string {
  if (recipients.length === 0) return answer
  const body = JSON.parse(answer) as { readonly data?: { readonly destinations?: readonly Named[] } }
  const destinations = body.data?.destinations
  if (destinations === undefined) return answer
  const changed = destinations.map((entry, index) => change(entry, recipients[index]))
  return JSON.stringify({ ...body, data: { ...body.data, destinations: changed } })
}

/** By their place; none unless it is an omni send. */
function recipientsOf(request: unknown): readonly unknown[] {
  const { destinations } = (request ?? {}) as { readonly destinations?: unknown }
  return Array.isArray(destinations) ? destinations.map((entry: unknown) => (entry as Named | null)?.to) : []
}
