/** Definitions of `postern cell …`. */
import type { Command } from 'commander'
import { defineCommand, defineGroup } from '../define.ts'

export function defineCell(program: Command): void {
  const cell = defineGroup(program, {
    name: 'cell',
    summary: 'Show what a proxy in front of several cells needs to know.',
    examples: ['cell map'],
  })
  defineCommand(cell, {
    name: 'map',
    summary: 'Print the cell of every account, as a map file of HAProxy.',
    details:
      'One line per account: its client id and its cell. Run it in every cell, join the outputs, give the file to all proxies and reload them; deploy/cells/haproxy.cfg reads it for token requests.',
    operation: 'showCellMap',
    examples: ['cell map > A1.map', 'cell map --json'],
    json: '{"cell":"A1","accounts":[{"clientId":"shop-1","cell":"A1"}]}',
    call: async (admin) => (await import('./calls.ts')).printMap(admin),
  })
}
