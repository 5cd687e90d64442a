import type { Example } from '../operation.ts'
import { sampleValues, success } from './sample-values.ts'

const path = { formId: sampleValues.formId }
const greeting = [{ sms: { from: '0212345678', text: 'Dear #{name}, welcome.' } }]
const longer = [{ sms: { from: '0212345678', text: 'Dear #{name}, welcome back.' } }]
const registered = { ...success, data: { formId: sampleValues.formId, expired: sampleValues.formEnd } }
const unknown = { code: 'A250', result: "Invalid 'formId': not found or expired; register the form again" }

export const registerExamples: readonly Example[] = [
  {
    name: 'form',
    summary: 'A greeting with a placeholder',
    body: { messageForm: greeting },
    status: 200,
    response: registered,
  },
  {
    name: 'formUnknownChannel',
    summary: 'Unknown channel',
    body: { messageForm: [{ telegram: { text: 'Welcome.' } }] },
    status: 400,
    response: {
      code: 'A300',
      result:
        "Invalid or empty 'messageForm[0]': must have exactly one of sms, mms, rcs, alimtalk, friendtalk, brandmessage",
      field: 'messageForm[0]',
    },
  },
]

export const showExamples: readonly Example[] = [
  {
    name: 'formFound',
    summary: 'The form as it was registered',
    path,
    status: 200,
    response: {
      ...success,
      data: { formId: sampleValues.formId, messageForm: greeting, expired: sampleValues.formEnd },
    },
  },
]

export const changeExamples: readonly Example[] = [
  {
    name: 'formChanged',
    summary: 'A new text',
    path,
    body: { messageForm: longer },
    status: 200,
    response: registered,
  },
]

export const removeExamples: readonly Example[] = [
  { name: 'formDeleted', summary: 'Deleted', path, status: 200, response: success },
  { name: 'formUnknown', summary: 'Already deleted', path, status: 400, response: unknown },
]
