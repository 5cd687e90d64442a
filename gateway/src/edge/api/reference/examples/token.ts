import type { Example } from '../operation.ts'
import { sampleValues, success } from './sample-values.ts'

export const tokenExamples = (prefix: string): readonly Example[] => [
  {
    name: 'token',
    summary: 'A token, valid for 24 hours',
    headers: {
      [`X-${prefix}-Client-Id`]: sampleValues.clientId,
      [`X-${prefix}-Client-Passwd`]: sampleValues.password,
    },
    status: 200,
    response: {
      ...success,
      data: { schema: 'Bearer', expired: sampleValues.tokenEnd, token: sampleValues.token },
    },
  },
  {
    name: 'wrongPassword',
    summary: 'The password is wrong',
    headers: {
      [`X-${prefix}-Client-Id`]: sampleValues.clientId,
      [`X-${prefix}-Client-Passwd`]: 'not-the-password',
    },
    status: 401,
    response: { code: 'A100', result: 'Invalid authentication information' },
  },
]
