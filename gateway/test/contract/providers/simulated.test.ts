import { suite, test } from 'node:test'
import type { ChannelName } from '../../../src/channels/channel.ts'
import { caseNames, runCase } from './cases.ts'
import { simulated } from './simulated/index.ts'

for (const provider of simulated)
  suite(provider.name, () => {
    for (const channel of Object.keys(provider.bodies) as ChannelName[])
      for (const name of caseNames)
        if (provider.notOffered[name] === undefined)
          test(`${channel}: ${name}`, () => runCase(provider, channel, name))
  })
