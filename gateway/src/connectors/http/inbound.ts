/** Callbacks of the carrier at `/inbound/<route>`: verified, then read by the profile. Pure; called by the API. */
import type { Inbound, InboundAnswer, InboundRequest } from '../kind.ts'
import { compile } from './compile.ts'
import type { HttpOptions } from './options.ts'
import { contentTypeOf } from './receipt.ts'

export function httpInbound(options: HttpOptions): Inbound {
  const { callbacks } = compile(options)
  return (request) => {
    if (callbacks === null) return { receipts: [], answer: { status: 404 } }
    if (!callbacks.verify(request)) return { receipts: [], answer: { status: 401 } }
    const content = callbacks.read(request)
    if (content === null) return { receipts: [], answer: refuseFormat(request, callbacks.contentType) }
    return { ...content, answer: callbacks.ack }
  }
}

/** An error makes the carrier repeat the callback, so no receipt is lost until its format is corrected. */
function refuseFormat(request: InboundRequest, expected: string): InboundAnswer {
  if (['', expected].includes(contentTypeOf(request))) return { status: 400 }
  const body = `Unsupported content type; set the callback format to ${expected} at the carrier`
  return { status: 415, body }
}
