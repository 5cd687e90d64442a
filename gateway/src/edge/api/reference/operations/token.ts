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
    summary: 'Exchange the account ID and a password or API key for a token',
    description:
      'The token is valid for 24 hours, for all operations. Reuse it: an account can have any number of tokens at a time, ' +
      'but too many requests are answered with 429. The request has no body. A token made from an API key has the scopes ' +
      'and networks of the key and expires with it. A key can also be used directly as the bearer token.',
    open: true,
    parameters: credentialHeaders(credentialPrefix),
    response: { description: 'A token', schema: ref('TokenResponse') },
    codes: ['A020', 'A100', 'A110', 'A113'],
    examples: tokenExamples(credentialPrefix),
  },
]
