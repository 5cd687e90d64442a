import { startMsghub } from '../../../../../simulator/src/msghub.ts'
import type { SimulatedProvider } from '../cases.ts'

const callbackToken = 'callback-token-of-the-test'

export const msghub: SimulatedProvider = {
  name: 'msghub',
  bodies: {
    sms: { from: '15880000', text: 'Hello' },
    mms: { from: '15880000', text: 'Hello', title: 'Title', fileKey: ['image-1'] },
  },
  notOffered: {},
  async start(callbackUrl) {
    const address = callbackUrl === undefined ? undefined : `${callbackUrl}/${callbackToken}`
    const carrier = await startMsghub({
      port: 0,
      controlPort: 0,
      emptyPollMs: 0,
      reportUrl: address,
      replyUrl: address,
    })
    const url = `http://127.0.0.1:${carrier.port}`
    const options = {
      url,
      sendUrl: url,
      fileUrl: url,
      apiKey: 'trial',
      apiPassword: 'trial-password',
      ...(callbackUrl === undefined ? { poll: true } : { callbackUrl, callbackToken }),
    }
    return {
      options,
      wrongLogin: { ...options, apiPassword: 'wrong' },
      accepted: () => carrier.stats().accepted,
      async reply(from, to, text) {
        const query = new URLSearchParams({ from, to, text }).toString()
        await fetch(`http://127.0.0.1:${carrier.controlPort}/reply?${query}`, { method: 'POST' })
      },
      close: () => carrier.close(),
    }
  },
}
