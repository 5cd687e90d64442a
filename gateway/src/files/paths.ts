/** The words after /v1/file/ → what may be uploaded there. */
import { invalidField } from '../contract/problem.ts'
import { serviceTypes, type ServiceType } from './file.ts'
import { otherKinds, plainWord } from './sdk-compat.ts'
import { imageRules, type ImageRule } from './rules.ts'

/** Throws A219 for an unknown service and A220 for an unknown kind. */
export function findRule(serviceSegment: string, ...kindSegments: readonly string[]): ImageRule {
  const serviceWord = plainWord(serviceSegment)
  const serviceType = serviceTypes.find((known) => plainWord(known) === serviceWord)
  if (serviceType === undefined) {
    throw invalidField('A219', 'serviceType', `one of ${serviceTypes.join(', ')} is wanted`)
  }
  const kindWord = kindSegments.map(plainWord).join('/')
  const kind = otherKinds[serviceType][kindWord] ?? kindWord
  const rules = imageRules.filter((rule) => rule.serviceType === serviceType)
  const rule = rules.find((candidate) => plainWord(candidate.kind) === plainWord(kind))
  if (rule === undefined) throw invalidField('A220', 'msgType', wanted(serviceType, rules))
  return rule
}

function wanted(serviceType: ServiceType, rules: readonly ImageRule[]): string {
  const paths = rules.map((rule) => `/v1/file/${[serviceType, rule.kind].filter(Boolean).join('/')}`)
  return `upload to ${paths.join(', ')}`
}
