/**
 * Handles requests of Google to the webhook: the handshake at its configuration, and events and messages of users. Reads only the
 * envelope of a request before the signature, which covers its data, is verified. An authentic request is acknowledged even if it
 * is unreadable, because Google repeats it for seven days and delays the events of the partner's other agents.
 */
import { createHmac } from 'node:crypto'
import type { Inbound, InboundRequest, InboundResult } from '../options/kind.ts'
import { isSameSecret } from '../options/secrets.ts'
import type { Reply } from '../reply.ts'
import { readUserData, type UserReply } from './events.ts'
import { toFields, parseObject, readString } from '../http/json.ts'
import type { RbmOptions } from './options.ts'

const maxSecretLength = 1_024

type InboundOptions = Pick<RbmOptions, 'clientToken' | 'agents' | 'agentId'>

export function rbmInbound(options: InboundOptions): Inbound {
  const { clientToken } = options
  return (request) => {
    if (request.method !== 'POST') return answer(405)
    const body = parseObject(request.body.toString())
    if (body === null) return answer(400)
    if (body['message'] === undefined) return handshake(clientToken, body)
    const data = Buffer.from(readString(toFields(body['message'])['data']), 'base64')
    if (!isSigned(clientToken, request, data)) return answer(401)
    const { receipts, events, replies } = readUserData(data)
    const ours = replies.flatMap((reply) => toReply(options, reply))
    return { receipts, events, ...(ours.length === 0 ? {} : { replies: ours }), response: { status: 200 } }
  }
}

/** Drops replies to other agents: the webhook of a partner receives the events of all its agents, also those of other systems. */
function toReply({ agents, agentId: standard }: InboundOptions, { agentId, ...reply }: UserReply): Reply[] {
  const brands = Object.entries(agents).filter(([, agent]) => agent === agentId)
  if (brands.length > 0) return [{ ...reply, to: brands.map(([value]) => ({ kind: 'brand', value })) }]
  return agentId === standard ? [{ ...reply, to: [] }] : []
}

/** Returns Google's secret, as the handshake requires. */
function handshake(clientToken: string, body: Readonly<Record<string, unknown>>): InboundResult {
  const secret = readString(body['secret'])
  if (!isSameSecret(readString(body['clientToken']), clientToken)) return answer(401)
  if (secret === '' || secret.length > maxSecretLength) return answer(400)
  return {
    receipts: [],
    events: ['webhook-verified'],
    response: { status: 200, contentType: 'text/plain; charset=utf-8', body: secret },
  }
}

/** Verifies the base64 HMAC-SHA512 of the decoded data, with the client token as key. */
function isSigned(clientToken: string, { headers }: InboundRequest, data: Buffer): boolean {
  const given = headers['x-goog-signature']
  const expected = createHmac('sha512', clientToken).update(data).digest('base64')
  return typeof given === 'string' && isSameSecret(given, expected)
}

function answer(status: number): InboundResult {
  return { receipts: [], response: { status } }
}
