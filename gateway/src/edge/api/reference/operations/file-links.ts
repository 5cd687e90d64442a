/** Links from an upload to the operations that use the image. */
import type { OperationLink } from '../operation.ts'

export const mmsLink: OperationLink = {
  operationId: 'sendMms',
  description: 'An MMS with the image',
  requestBody: {
    from: '0212345678',
    to: '01000000001',
    text: 'See the picture.',
    fileKey: ['$response.body#/data/fileKey'],
  },
}
export const rcsLink: OperationLink = {
  operationId: 'sendRcs',
  description: 'An RCS message with the image',
  requestBody: {
    from: '0212345678',
    to: '01000000001',
    formatId: 'SMwThM00',
    brandKey: 'BR.4tKq9sXz2m',
    content: { standalone: { title: 'Autumn sale', media: '$response.body#/data/media' } },
  },
}
export const bubbleLink: OperationLink = {
  operationId: 'sendFriendtalk',
  description: 'A friendtalk with the image',
  requestBody: {
    senderKey: '0123456789abcdef0123456789abcdef01234567',
    msgType: 'FI',
    to: '01000000001',
    text: 'See the picture.',
    imgUrl: '$response.body#/data/imgUrl',
  },
}
export const contentLink: OperationLink = {
  operationId: 'fetchImage',
  description: 'The image itself',
  parameters: { key: '$response.body#/data/fileKey' },
}
