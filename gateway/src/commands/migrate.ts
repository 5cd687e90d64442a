/** `postern migrate` */
import { migrate } from '../platform/migrate.ts'
import { maintainPartitions } from '../records/partitions.ts'
import type { Command } from './command.ts'
import { print, withDatabase } from './connect.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  usage: 'migrate',
  summary: 'brings the database to this version; safe to run again and from several places at once',
  async run() {
    await withDatabase(async (database, config) => {
      const applied = await migrate(database)
      for (const { name } of applied) print(`applied ${name}`)
      await maintainPartitions(database, config.retentionDays, new Date())
      print(applied.length === 0 ? 'nothing to apply' : 'done')
    })
  },
}
