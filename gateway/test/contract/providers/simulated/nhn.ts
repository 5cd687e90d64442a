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

export const nhnSms: SimulatedProvider = {
  name: 'nhn',
  bodies: {
    sms: { from: '15880000', text: 'Hello' },
    mms: { from: '15880000', text: 'Hello', fileKey: ['image-1'] },
  },
  notOffered: {},
  start,
}

const noQuota =
  'KakaoTalk Bizmessage has no code for a quota or missing credit (TOAST-DOCS/Alimtalk, error-code.md).'

export const nhnKakaoAlimtalk: SimulatedProvider = {
  name: 'nhn-kakao',
  bodies: { alimtalk: { senderKey, msgType: 'AT', templateCode: 'T1', text: 'Hello' } },
  notOffered: {
    'missing credit': noQuota,
    reply: 'KakaoTalk Bizmessage reports no replies (TOAST-DOCS/Alimtalk, webhook-api-guide.md).',
  },
  start,
}

export const nhnKakaoBrand: SimulatedProvider = {
  ...nhnKakaoAlimtalk,
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
    ...nhnKakaoAlimtalk.notOffered,
    'receipt by poll':
      'Brand messages can be queried only by request time (TOAST-DOCS/Alimtalk, friendtalkupgrade-api-guide.md).',
  },
}
