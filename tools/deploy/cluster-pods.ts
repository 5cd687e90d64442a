/** Checks the pods of a release: Pod Security and service accounts admit them, and selectors find them. */
import { splitDocuments, type ClusterObjects, type KubernetesObject } from './cluster-objects.ts'

interface Template {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> }
  readonly spec: Readonly<Record<string, unknown>> & {
    readonly containers: readonly { readonly ports?: readonly { readonly name: string }[] }[]
  }
}

/**
 * Checks with dry runs that a pod of each Deployment and of the Job is accepted, and rejected with a root user or a
 * misspelt field.
 */
export async function mustAdmitPods(
  objects: ClusterObjects,
  namespace: string,
  hooks: string,
  release: readonly KubernetesObject[],
): Promise<void> {
  const jobs = await Promise.all(
    splitDocuments(hooks).map((document) =>
      // The Job itself was deleted as soon as it had succeeded.
      objects.create(namespace, document, true),
    ),
  )
  for (const { template } of [...jobs, ...release].flatMap(templateOf)) {
    const { spec } = await objects.create(namespace, podOf(template), true)
    if (spec?.serviceAccountName === undefined) throw new Error('a pod without a service account')
    const asRoot = { ...template.spec, securityContext: { runAsUser: 0 } }
    mustMention(await objects.refusal(namespace, podOf({ ...template, spec: asRoot })), 'PodSecurity')
    const misspelt = { ...template.spec, restartPolcy: 'Always' }
    mustMention(await objects.refusal(namespace, podOf({ ...template, spec: misspelt })), 'restartPolcy')
  }
}

/**
 * Checks that every selector finds pods, every named port exists, and every autoscaler has its Deployment.
 */
export function mustFitTogether(release: readonly KubernetesObject[]): void {
  const templates = release.flatMap(templateOf)
  for (const { kind, metadata, spec = {} } of release) {
    const where = `${kind} ${metadata.name}`
    const selected = templates.filter(({ template }) => matches(selectorOf(kind, spec), template))
    if (selectorOf(kind, spec) !== undefined && selected.length === 0)
      throw new Error(`${where} selects no pod`)
    for (const { template } of selected)
      for (const port of namedPorts(kind, spec))
        if (!template.spec.containers.some(({ ports }) => ports?.some(({ name }) => name === port)))
          throw new Error(`${where} names the port ${port}, which a pod does not have`)
    const target = spec.scaleTargetRef as { name: string } | undefined
    if (target !== undefined && !templates.some(({ name }) => name === target.name))
      throw new Error(`${where} scales ${target.name}, which does not exist`)
  }
}

function templateOf({ metadata, spec }: KubernetesObject): readonly { name: string; template: Template }[] {
  return spec?.template === undefined ? [] : [{ name: metadata.name, template: spec.template as Template }]
}

function podOf({ metadata: { labels }, spec }: Template): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'pod', labels }, spec }
}

type Selector = Readonly<Record<string, string>> | undefined

function selectorOf(kind: string, spec: Readonly<Record<string, unknown>>): Selector {
  if (kind === 'Service') return spec.selector as Selector
  const selector = (spec.podSelector ?? spec.selector) as { matchLabels: Selector } | undefined
  return selector?.matchLabels
}

function matches(selector: Selector, { metadata: { labels } }: Template): boolean {
  return selector !== undefined && Object.entries(selector).every(([name, value]) => labels[name] === value)
}

function namedPorts(kind: string, spec: Readonly<Record<string, unknown>>): readonly string[] {
  if (kind === 'Service') return (spec.ports as { targetPort: string }[]).map(({ targetPort }) => targetPort)
  if (kind === 'PodMonitor') return (spec.podMetricsEndpoints as { port: string }[]).map(({ port }) => port)
  if (kind === 'NetworkPolicy')
    return (spec.ingress as { ports: { port: string }[] }[]).flatMap((rule) =>
      rule.ports.map(({ port }) => port),
    )
  return []
}

function mustMention(refusal: string, word: string): void {
  if (!refusal.includes(word)) throw new Error(`rejected for another reason than ${word}: ${refusal}`)
}
