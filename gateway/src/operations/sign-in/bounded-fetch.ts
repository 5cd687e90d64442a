/**
 * Requests to the sign-in provider with limits of time and response size, and without redirects, so that a
 * failing or compromised provider occupies no resources here.
 */
import type { CustomFetch } from 'openid-client'

const maxMs = 5_000
/** Metadata and key sets have some kilobytes, as do the claims of a person in many groups. */
const maxBytes = 256 * 1024

export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
}

export interface FetchLimits {
  readonly maxMs: number
  readonly maxBytes: number
}

export function createBoundedFetch(limits: FetchLimits = { maxMs, maxBytes }): CustomFetch {
  return async (url, options) => {
    const signal = AbortSignal.timeout(limits.maxMs)
    try {
      const response = await fetch(url, {
        method: options.method,
        headers: options.headers,
        body: options.body as string | URLSearchParams | null,
        redirect: 'manual',
        signal,
      })
      const body = await readBody(response, limits.maxBytes)
      if (response.status >= 500) throw new Error(`it responded with HTTP ${response.status}`)
      // A status without a body accepts none, not even an empty one.
      const empty = response.status === 204 || response.status === 304
      return new Response(empty ? null : body, { status: response.status, headers: response.headers })
    } catch (error) {
      throw new ProviderUnavailable(describe(error, limits.maxMs), { cause: error })
    }
  }
}

async function readBody(response: Response, max: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length
    // Leaving the loop cancels the rest.
    if (length > max) throw new Error(`its response has more than ${max} bytes`)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

function describe(error: unknown, ms: number): string {
  const { name, message, cause } = error as Error
  if (name === 'TimeoutError') return `it did not respond within ${ms / 1000} s`
  const { code } = (cause ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : message
}
