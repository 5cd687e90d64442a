import type { SubmitOutcome } from '../../../src/carriers/connectors/connector.ts'
import type { HttpResponse } from '../../../src/carriers/connectors/http/http-client.ts'

export function readOutcome({ status, body, retryAfterMs }: HttpResponse): SubmitOutcome {
  const code = `http:${status}`
  if (status === 429) return { kind: 'throttled', code, retryAfterMs: retryAfterMs ?? 1_000 }
  if (status === 401 || status === 503) return { kind: 'unreachable', code, text: 'not accepted' }
  if (status >= 400 && status < 500) return { kind: 'refused', cause: 'failed', code, text: 'refused' }
  const id = status === 200 ? readId(body) : undefined
  if (id !== undefined) return { kind: 'accepted', carrierId: id }
  return { kind: 'unknown', code, text: 'the answer has no id' }
}

function readId(body: Buffer): string | undefined {
  try {
    const { id } = JSON.parse(body.toString()) as { readonly id?: unknown }
    return typeof id === 'string' && id !== '' ? id : undefined
  } catch {
    return undefined
  }
}
