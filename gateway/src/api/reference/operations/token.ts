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
      'The token is valid for 24 hours, for all operations. Reuse it: an account can have any number of tokens at a time, ' +
      'but too many requests are answered with 429. The request has no body.',
    open: true,
    parameters: credentialHeaders(credentialPrefix),
    answer: { description: 'A token', schema: ref('TokenAnswer') },
    codes: ['A020', 'A100', 'A110'],
    examples: tokenExamples(credentialPrefix),
  },
]
