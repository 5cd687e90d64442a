/** Extracts the schemas of the Kubernetes API from its Go module. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { goModule } from '../engines/go-module.ts'

export const kubernetesVersion = '1.36.3'
const schemasFolder = `/var/tmp/postern-tools/kubernetes-schemas-${kubernetesVersion}`

const source = (): string => goModule('k8s.io/kubernetes', `v${kubernetesVersion}`)

interface Swagger {
  readonly definitions: Record<
    string,
    { 'x-kubernetes-group-version-kind'?: readonly { kind: string; group: string; version: string }[] }
  >
}

/** Returns a folder with one JSON schema per kind, as kubeconform reads them. */
export function schemas(): string {
  if (existsSync(schemasFolder)) return schemasFolder
  const swagger = JSON.parse(readFileSync(join(source(), 'api/openapi-spec/swagger.json'), 'utf8')) as Swagger
  const fresh = `${schemasFolder}.new`
  mkdirSync(fresh, { recursive: true })
  writeFileSync(join(fresh, 'all.json'), JSON.stringify(closed(swagger)))
  for (const [name, definition] of Object.entries(swagger.definitions))
    for (const { kind, group, version } of definition['x-kubernetes-group-version-kind'] ?? []) {
      const file = [kind, ...(group === '' ? [] : [group.split('.')[0]!]), version].join('-').toLowerCase()
      writeFileSync(join(fresh, `${file}.json`), JSON.stringify({ $ref: `all.json#/definitions/${name}` }))
    }
  renameSync(fresh, schemasFolder)
  return schemasFolder
}

/** Types described as strings that also accept numbers. */
const alsoNumbers = ['util.intstr.IntOrString', 'api.resource.Quantity']

/** Rejects undeclared properties, as `kubectl apply --validate=strict` does. */
function closed(swagger: Swagger): unknown {
  const definitions = Object.entries(swagger.definitions).map(([name, definition]) => [
    name,
    alsoNumbers.some((end) => name.endsWith(end))
      ? { type: ['string', 'number'] }
      : 'properties' in definition
        ? { additionalProperties: false, ...definition }
        : definition,
  ])
  return { definitions: Object.fromEntries(definitions) as unknown }
}
