import { startSolapi } from '../../../../../simulator/src/solapi.ts'
import type { SimulatedProvider } from '../cases.ts'

const senderKey = 'a'.repeat(40)

export const solapi: SimulatedProvider = {
  name: 'solapi',
  bodies: {
    sms: { from: '15880000', text: 'Hello' },
    mms: { from: '15880000', text: 'Hello', title: 'Title', fileKey: ['image-1'] },
    alimtalk: { senderKey, msgType: 'AT', templateCode: 'KA01TP', text: 'Hello' },
  },
  notOffered: {
    'lost response':
      'The list of messages cannot be searched by customFields (solapi-nodejs, getMessagesRequest.ts).',
    reply: 'No page of SOLAPI describes replies.',
  },
  async start(callbackUrl) {
    const carrier = await startSolapi({ port: 0, controlPort: 0, webhookUrl: callbackUrl })
    const options = {
      url: `http://127.0.0.1:${carrier.port}`,
      apiKey: 'trial',
      apiSecret: 'trial-secret',
      webhookSecret: 'trial-webhook',
      pfIds: { [senderKey]: 'KA01PF000000000000' },
      ...(callbackUrl === undefined ? { poll: true } : { callbackUrl }),
    }
    return {
      options,
      wrongLogin: { ...options, apiSecret: 'wrong' },
      accepted: () => carrier.stats().accepted,
      close: () => carrier.close(),
    }
  },
}
