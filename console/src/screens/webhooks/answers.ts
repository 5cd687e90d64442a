/** Classes of the answers to pushes. Pure. */
import type { Operations } from '../../generated/operations.ts'

export type Try = Operations['listDeliveries']['data']['tries'][number]

export const answerClasses = ['acknowledged', '2xx', '3xx', '4xx', '5xx', 'none'] as const
export type AnswerClass = (typeof answerClasses)[number]

/** A 2xx is not enough: the answer must name the message, unless the webhook takes any. */
export function classOf({ httpStatus, error }: Pick<Try, 'httpStatus' | 'error'>): AnswerClass {
  if (error === '') return 'acknowledged'
  if (httpStatus === null) return 'none'
  const first = Math.floor(httpStatus / 100)
  return first === 2 ? '2xx' : first === 3 ? '3xx' : first === 4 ? '4xx' : first === 5 ? '5xx' : 'none'
}
