import { startNhn } from '../../../../../simulator/src/nhn.ts'
import type { SimulatedProvider } from '../cases.ts'

const senderKey = 'a'.repeat(40)
const login = { appKey: 'trial', secretKey: 'trial-secret', webhookSignature: 'trial-webhook' }

const start: SimulatedProvider['start'] = async (callbackUrl) => {
  const { appKey, secretKey, webhookSignature } = login
  const carrier = await startNhn({
    port: 0,
    controlPort: 0,
    appKey,
    secretKey,
    webhookSignature,
    webhookUrl: callbackUrl,
  })
  const url = `http://127.0.0.1:${carrier.port}`
  const results = callbackUrl === undefined ? { poll: true } : { callbackUrl }
  // `nhn` has no option `friendtalk`; `runCase` removes it.
  const options = { url, ...login, ...results, friendtalk: 'convert' }
  return {
    options,
    wrongLogin: { ...options, secretKey: 'wrong' },
    accepted: () => carrier.stats().accepted,
    async optOut(from, to) {
      const query = new URLSearchParams({ recipient: from, number: to }).toString()
      await fetch(`http://127.0.0.1:${carrier.controlPort}/unsubscribe?${query}`, { method: 'POST' })
    },
    close: () => carrier.close(),
  }
}

export const nhn: SimulatedProvider = {
  name: 'nhn',
  bodies: {
    sms: { from: '15880000', text: 'Hello' },
    mms: { from: '15880000', text: 'Hello', fileKey: ['image-1'] },
  },
  notOffered: {},
  start,
}

const noQuota =
  'The codes of KakaoTalk Bizmessage have none for a quota or credit (TOAST-DOCS/Alimtalk, error-code.md).'

export const nhnAlimtalk: SimulatedProvider = {
  name: 'nhn-kakao',
  bodies: { alimtalk: { senderKey, msgType: 'AT', templateCode: 'T1', text: 'Hello' } },
  notOffered: {
    'missing credit': noQuota,
    reply: 'KakaoTalk Bizmessage reports no replies (TOAST-DOCS/Alimtalk, webhook-api-guide.md).',
  },
  start,
}

export const nhnBrand: SimulatedProvider = {
  ...nhnAlimtalk,
  bodies: {
    friendtalk: { senderKey, msgType: 'FI', text: 'Hello', imgUrl: 'image-1' },
    brandmessage: {
      senderKey,
      sendType: 'free',
      msgType: 'FI',
      targeting: 'I',
      text: 'Hello',
      imgUrl: 'image-1',
    },
  },
  notOffered: {
    ...nhnAlimtalk.notOffered,
    'receipt by poll':
      'Brand messages are listed by the time of the request only (TOAST-DOCS/Alimtalk, friendtalkupgrade-api-guide.md).',
  },
}
