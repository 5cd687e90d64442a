/** Finds the rule for an upload path, /v1/file/{serviceType}[/{msgType}[/{subType}]]. */
import { invalidField } from '../../../contract/problem.ts'
import { serviceTypes, type ServiceType } from '../file.ts'
import { kindAliases, normalizeSegment } from '../sdk-compat.ts'
import { imageRules, type ImageRule } from '../rules.ts'

/** Throws A219 for an unknown service and A220 for an unknown kind. */
export function findImageRule(serviceSegment: string, ...kindSegments: readonly string[]): ImageRule {
  const service = normalizeSegment(serviceSegment)
  const serviceType = serviceTypes.find((known) => normalizeSegment(known) === service)
  if (serviceType === undefined) {
    throw invalidField('A219', 'serviceType', `must be one of ${serviceTypes.join(', ')}`)
  }
  const requestedKind = kindSegments.map(normalizeSegment).join('/')
  const kind = kindAliases[serviceType][requestedKind] ?? requestedKind
  const rules = imageRules.filter((rule) => rule.serviceType === serviceType)
  const rule = rules.find((candidate) => normalizeSegment(candidate.kind) === normalizeSegment(kind))
  if (rule === undefined) throw invalidField('A220', 'msgType', allowedPaths(serviceType, rules))
  return rule
}

function allowedPaths(serviceType: ServiceType, rules: readonly ImageRule[]): string {
  const paths = rules.map((rule) => `/v1/file/${[serviceType, rule.kind].filter(Boolean).join('/')}`)
  return `the path must be one of ${paths.join(', ')}`
}
