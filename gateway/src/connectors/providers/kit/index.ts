/** Everything that a module of a provider uses. Modules of operators get it as their argument. */
export { isGsm7 } from '../../../channels/text/gsm7.ts'
export { readTokenText } from '../../access-token.ts'
export type { AskedSubmission } from '../../connector.ts'
export { parseForm } from '../../form.ts'
export { formatKoreanTime, readKoreanTime } from '../../korean-time.ts'
export { accountName, secret, text } from '../../options.ts'
export { isSameSecret } from '../../secrets.ts'
export { Type } from 'typebox'
export {
  accepted,
  isRefusal,
  listAt,
  readTime,
  refused,
  standardOutcome,
  textAt,
  valueAt,
  withPlus,
  type ProviderAnswer,
  type ProviderFailure,
  type ProviderOutcome,
  type Refusal,
} from './answer.ts'
export { fieldsOfForm, headerOf } from './callbacks.ts'
export { defineProvider } from './define.ts'
export { apiUrl } from './options.ts'
export type * from './provider.ts'
export {
  at,
  basic,
  fileRequest,
  formRequest,
  getRequest,
  jsonRequest,
  type ProviderRequest,
} from './request.ts'
