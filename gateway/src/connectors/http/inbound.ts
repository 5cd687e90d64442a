/** Callbacks of the carrier at `/inbound/<route>`: verified, then read by the profile. Pure; called by the API. */
import type { Inbound } from '../kind.ts'
import { compile } from './compile.ts'
import type { HttpOptions } from './options.ts'

export function httpInbound(options: HttpOptions): Inbound {
  const { callbacks } = compile(options)
  return (request) => {
    if (callbacks === null) return { receipts: [], answer: { status: 404 } }
    if (!callbacks.verify(request)) return { receipts: [], answer: { status: 401 } }
    const content = callbacks.read(request)
    if (content === null) return { receipts: [], answer: { status: 400 } }
    return { ...content, answer: callbacks.ack }
  }
}
