import type { Receipt } from '../../../src/carriers/connectors/connector.ts'
import type { Inbound } from '../../../src/carriers/connectors/options/kind.ts'
import { isSameSecret } from '../../../src/carriers/connectors/options/secrets.ts'
import type { AcmeOptions } from './options.ts'

export function acmeInbound({ key }: AcmeOptions): Inbound {
  return ({ headers, body }) => {
    if (!isSameSecret(headers.authorization ?? '', `Bearer ${key}`))
      return { receipts: [], response: { status: 401 } }
    const receipt = readReceipt(body)
    if (receipt === undefined) return { receipts: [], response: { status: 400 } }
    return { receipts: [receipt], response: { status: 200 } }
  }
}

function readReceipt(body: Buffer): Receipt | undefined {
  try {
    const { id, status } = JSON.parse(body.toString()) as Readonly<Record<string, unknown>>
    if (typeof id !== 'string' || typeof status !== 'string') return undefined
    const about = { carrierId: id, code: status, recipient: '', sender: '', at: null }
    if (status === 'DELIVERED') return { ...about, result: 'delivered', cause: 'delivered' }
    return { ...about, result: status === 'BUFFERED' ? 'pending' : 'failed', cause: 'failed' }
  } catch {
    return undefined
  }
}
