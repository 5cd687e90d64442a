import { startSens } from '../../../../../simulator/src/sens.ts'
import type { SimulatedProvider } from '../cases.ts'

const senderKey = 'a'.repeat(40)
const smsServiceId = 'ncp:sms:kr:123456789012:trial'
const bizServiceId = 'ncp:kkobizmsg:kr:123456789012:trial'
const keys = { accessKey: 'trial', secretKey: 'trial-secret' }

/** `account` has the options besides the URL and the keys. */
function createStart(account: object): SimulatedProvider['start'] {
  return async () => {
    const carrier = await startSens({ port: 0, controlPort: 0, ...keys, smsServiceId, bizServiceId })
    const options = { url: `http://127.0.0.1:${carrier.port}`, ...keys, ...account }
    return {
      options,
      wrongLogin: { ...options, secretKey: 'wrong' },
      accepted: () => carrier.stats().accepted,
      close: () => carrier.close(),
    }
  }
}

const notOffered = {
  'lost response':
    'A message has no field for a reference of ours (api.ncloud-docs.com, sens-sms-send and sens-alimtalk-send).',
  'receipt by push': 'SENS calls no webhook (api.ncloud-docs.com, sens-overview).',
  reply: 'SENS receives no messages (api.ncloud-docs.com, sens-overview).',
}

export const sens: SimulatedProvider = {
  name: 'sens',
  bodies: {
    sms: { from: '15880000', text: 'Hello' },
    mms: { from: '15880000', text: 'Hello', title: 'Title', fileKey: ['image-1'] },
  },
  notOffered,
  start: createStart({ serviceId: smsServiceId }),
}

export const sensKakao: SimulatedProvider = {
  name: 'sens-kakao',
  bodies: {
    alimtalk: { senderKey, msgType: 'AT', templateCode: 'T1', text: 'Hello' },
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
  notOffered,
  start: createStart({ serviceId: bizServiceId, plusFriendId: '@trial', senderKey, friendtalk: 'convert' }),
}
