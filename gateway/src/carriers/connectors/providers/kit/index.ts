/** Everything that a provider module uses. Modules of operators receive it as their argument. */
export { isGsm7 } from '../../../../channels/text/gsm7.ts'
export { readTokenText } from '../../http/access-token.ts'
export type { RecordedSubmission } from '../../connector.ts'
export { parseForm } from '../../http/form.ts'
export { formatKoreanTime, readKoreanTime } from '../../http/korean-time.ts'
export { accountName, secret, text } from '../../options/options.ts'
export { isSameSecret } from '../../options/secrets.ts'
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
  type ProviderResponse,
  type ProviderFailure,
  type ProviderOutcome,
  type ProviderRefusal,
} from './response.ts'
export { toFormFields, getHeader } from './callbacks.ts'
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
