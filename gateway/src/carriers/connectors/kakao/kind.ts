import { accountRefused, fileUploaded, malformedReceipt, pollFailed } from '../events.ts'
import { defineConnector } from '../options/kind.ts'
import { createKakaoConnector } from './connector.ts'
import { details, kakaoNotes } from './notes.ts'
import { checkKakaoOptions, kakaoLogin, KakaoOptions } from './options.ts'
import { previewKakao } from './preview.ts'
import { serialBase } from './serial.ts'

export const kakao = defineConnector({
  name: 'kakao',
  summary: 'Kakao BizMessage for dealers: alimtalk, brand messages, and friendtalk as brand messages.',
  channels: ['alimtalk', 'friendtalk', 'brandmessage'],
  submissionUnit: 'message',
  severalOwners: true,
  events: {
    ...accountRefused,
    ...fileUploaded,
    ...malformedReceipt,
    ...pollFailed,
    'not-submitted':
      'A message was refused before it was submitted to Kakao, such as friendtalk. The log has the reason.',
    'refused-without-code':
      'A message was refused without a Kakao code, although Kakao accepts the partner key.',
  },
  options: KakaoOptions,
  example: {
    partnerKey: 'env:POSTERN_ROUTE_SECRET_KAKAO_PARTNER_KEY',
    results: { AT: 'push', AI: 'polling' },
    channelKey: 'acme',
    brandPath: 'assigned-by-kakao',
    friendtalk: 'convert',
  },
  notes: kakaoNotes,
  details,
  check: checkKakaoOptions,
  login: kakaoLogin,
  create: createKakaoConnector,
  carrierIdFor: () => serialBase,
  preview: previewKakao,
})
