/** POST /v1/auth/token. */
import { tokenExamples } from '../examples/token.ts'
import type { Operation } from '../operation.ts'
import { credentialHeaders } from '../parameters.ts'
import { ref } from '../ref.ts'

export const tokenOperations = (credentialPrefix: string): Operation[] => [
  {
    id: 'issueToken',
    method: 'post',
    path: '/v1/auth/token',
    tag: 'Token',
    summary: 'Exchange the account ID and password for a token',
    description:
      'The token is good for 24 hours, for all operations. Keep it and use it again: there may be any number of ' +
      'tokens at a time, but asking too often is answered with 429. There is no body.',
    open: true,
    parameters: credentialHeaders(credentialPrefix),
    answer: { description: 'A token', schema: ref('TokenAnswer') },
    codes: ['A020', 'A100', 'A110'],
    examples: tokenExamples(credentialPrefix),
  },
]
