import { formBodyBytes, formsPerAccount } from '../../../../records/forms/form.ts'
import { formCodes } from '../codes.ts'
import { changeExamples, registerExamples, removeExamples, showExamples } from '../examples/forms.ts'
import { sampleValues } from '../examples/sample-values.ts'
import type { OperationLink, Operation } from '../operation.ts'
import { pathParameter } from '../parameters.ts'
import { ref } from '../ref.ts'

const formId = pathParameter('formId', 'formId from the response to the registration.', sampleValues.formId)
const path = '/v1/form/{formId}'
const body = {
  contentType: 'application/json',
  schema: ref('FormRequest'),
  description: `The messages; at most ${formBodyBytes / 1024} KB`,
} as const
const answer = { description: 'Registered', schema: ref('RegisteredFormResponse') }

const sameForm = (operationId: string, description: string): OperationLink => ({
  operationId,
  description,
  parameters: { formId: '$response.body#/data/formId' },
})

const links: Readonly<Record<string, OperationLink>> = {
  send: {
    operationId: 'sendOmni',
    description: 'A send with the form',
    requestBody: {
      messageForm: '$response.body#/data/formId',
      destinations: [{ to: '01000000001', replaceWords: { name: 'Minji' } }],
    },
  },
  show: sameForm('showForm', 'The form'),
  change: sameForm('changeForm', 'Replace the messages of the form'),
  remove: sameForm('deleteForm', 'Delete the form'),
}

export const formOperations: readonly Operation[] = [
  {
    id: 'registerForm',
    method: 'post',
    path: '/v1/form',
    tag: 'Forms',
    summary: 'Register a form',
    description:
      `A flow that omni sends refer to by its formId. An account can have ${formsPerAccount} forms; each expires a year ` +
      'after its last change and can be used as soon as this request is answered. The fields are checked now, limits ' +
      'when the form is sent, with the placeholders filled in.',
    body,
    response: answer,
    codes: formCodes,
    links,
    examples: registerExamples,
  },
  {
    id: 'showForm',
    method: 'get',
    path,
    tag: 'Forms',
    summary: 'Get a form',
    description: 'The messages as they were registered.',
    parameters: [formId],
    response: { description: 'The form', schema: ref('FoundFormResponse') },
    codes: ['A250'],
    examples: showExamples,
  },
  {
    id: 'changeForm',
    method: 'put',
    path,
    tag: 'Forms',
    summary: 'Change a form',
    description:
      'Replaces its messages and extends its lifetime by a year. Sends use the new messages within a second.',
    parameters: [formId],
    body,
    response: { ...answer, description: 'Changed' },
    codes: [...formCodes, 'A250'],
    links,
    examples: changeExamples,
  },
  {
    id: 'deleteForm',
    method: 'delete',
    path,
    tag: 'Forms',
    summary: 'Delete a form',
    description: 'Messages already sent with the form are not affected.',
    parameters: [formId],
    response: { description: 'Deleted', schema: ref('PlainResponse') },
    codes: ['A250'],
    examples: removeExamples,
  },
]
