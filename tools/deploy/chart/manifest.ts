/**
 * Turns the manifests that Helm renders into pods that podman runs: what podman does not do is done here, and
 * nothing else changes.
 */
import { parseAllDocuments } from 'yaml'

export interface Pod {
  readonly kind: 'Pod'
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> }
  readonly spec: PodSpec
}

interface PodSpec {
  readonly containers: readonly Container[]
  readonly restartPolicy?: string
  readonly terminationGracePeriodSeconds?: number
}

interface Container {
  readonly name: string
  readonly image: string
  readonly args: readonly string[]
  readonly env: readonly Variable[]
}

interface Variable {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: {
    readonly secretKeyRef?: { readonly name: string; readonly key: string; readonly optional?: boolean }
  }
}

interface Workload {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> }
  readonly spec: {
    readonly replicas?: number
    readonly template: { readonly metadata: Pod['metadata']; readonly spec: PodSpec }
  }
}

export type Secrets = Readonly<Record<string, Readonly<Record<string, string>>>>

export interface Rendered {
  /** Jobs that Helm runs before it changes anything else. */
  readonly jobs: readonly Workload[]
  readonly deployments: readonly Workload[]
  /** Kinds that nothing here runs, such as Service and NetworkPolicy. */
  readonly others: readonly string[]
}

export function readManifest(yaml: string): Rendered {
  const objects = parseAllDocuments(yaml)
    .map((document) => document.toJS() as Workload | null)
    .filter((object) => object !== null)
  const ofKind = (kind: string): Workload[] => objects.filter((object) => object.kind === kind)
  const run = ['Job', 'Deployment']
  return {
    jobs: ofKind('Job'),
    deployments: ofKind('Deployment'),
    others: [...new Set(objects.map(({ kind }) => kind).filter((kind) => !run.includes(kind)))],
  }
}

/** Returns a pod of a workload. */
export function toPod({ spec: { template } }: Workload, name: string, secrets: Secrets): Pod {
  const containers = template.spec.containers.map((container) => ({
    ...withoutPortsAndProbes(container),
    env: resolve(container.env, secrets),
  }))
  const { labels } = template.metadata
  return { kind: 'Pod', metadata: { name, labels }, spec: { ...template.spec, containers } }
}

/**
 * Podman publishes every port on the machine, and calls curl in the container for a probe, which the image does not
 * have. The caller reads /readyz.
 */
const leftOut = ['ports', 'startupProbe', 'livenessProbe', 'readinessProbe']

function withoutPortsAndProbes(container: Container): Container {
  const kept = Object.entries(container).filter(([name]) => !leftOut.includes(name))
  return Object.fromEntries(kept) as unknown as Container
}

/** Kubernetes expands `$(NAME)` if NAME precedes the variable; podman does not expand at all. */
function resolve(variables: readonly Variable[], secrets: Secrets): Variable[] {
  const known = new Map<string, string>()
  return variables.flatMap(({ name, value, valueFrom }) => {
    const ref = valueFrom?.secretKeyRef
    const given = ref === undefined ? value : secrets[ref.name]?.[ref.key]
    if (given === undefined) {
      if (ref?.optional === true) return []
      throw new Error(`variable ${name} has no value: Secret ${ref?.name}, key ${ref?.key}`)
    }
    const expanded = given.replaceAll(
      /\$\(([A-Z0-9_]+)\)/g,
      (text, other: string) => known.get(other) ?? text,
    )
    known.set(name, expanded)
    return [{ name, value: expanded }]
  })
}
