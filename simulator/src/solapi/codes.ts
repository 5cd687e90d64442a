/**
 * Message status codes that the simulator uses, from `api-reference/message-status-codes.md` of
 * solapi/documents.
 */

export const solapiCodes = {
  '1010': 'a required value is not set',
  '1011': 'format error',
  '1013': 'an SMS has no subject',
  '1014': 'the subject exceeds 40 bytes',
  '1025': 'unknown message type',
  '1026': 'duplicate recipient',
  '1030': 'not enough balance',
  '1031': 'the text is too long',
  '1032': 'invalid custom field',
  '1033': 'kakaoOptions require a Kakao message type',
  '1034': 'imageId does not exist',
  '1041': 'invalid channel',
  '1042': 'invalid template ID',
  '1060': 'blocked recipient',
  '1062': 'unregistered sender number',
  '2000': 'accepted, to be submitted to the carrier',
  '2230': 'not enough balance',
  '3000': 'submitted to the carrier, waiting for its report',
  '3014': 'unknown message state',
  '3032': 'no subscriber',
  '3040': 'timed out',
  '3043': 'phone switched off',
  '3054': 'spam',
  '3104': 'not a KakaoTalk user',
  '3107': 'KakaoTalk not used within 72 hours, or alimtalk blocked',
  '4000': 'delivered',
} as const

export type SolapiCode = keyof typeof solapiCodes
