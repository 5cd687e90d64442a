/**
 * Reads the CustomResourceDefinitions that the chart and its examples use, from the Go modules of RabbitMQ
 * Cluster Operator, CloudNativePG and Prometheus Operator.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { goModule } from '../engines/go-module.ts'

const files: readonly (readonly [module: string, version: string, path: string])[] = [
  [
    'github.com/rabbitmq/cluster-operator/v2',
    'v2.16.0',
    'config/crd/bases/rabbitmq.com_rabbitmqclusters.yaml',
  ],
  [
    'github.com/cloudnative-pg/cloudnative-pg',
    'v1.27.0',
    'config/crd/bases/postgresql.cnpg.io_clusters.yaml',
  ],
  ...['podmonitors', 'prometheusrules'].map(
    (kind) =>
      [
        'github.com/prometheus-operator/prometheus-operator',
        'v0.85.0',
        `example/prometheus-operator-crd/monitoring.coreos.com_${kind}.yaml`,
      ] as const,
  ),
]

export function readCustomResourceDefinitions(): readonly string[] {
  return files.map(([module, version, path]) => readFileSync(join(goModule(module, version), path), 'utf8'))
}
