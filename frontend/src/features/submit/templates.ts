import type { Key } from '~/i18n'

export interface Template {
  id: string
  name: Key
  text: string
}

export const TEMPLATES: readonly Template[] = [
  {
    id: 'one',
    name: 'template.one',
    text: `name: experiment
image: images.example/train:1.4
command: [python, train.py]
resources: {gpus: 1}
walltime: 4h
`,
  },
  {
    id: 'node',
    name: 'template.node',
    text: `name: finetune
image: images.example/train:1.4
command: [torchrun, --nproc-per-node=8, train.py]
resources: {gpus: 8}
walltime: 12h
# To come back where it was, save to a volume of the team:
# data: [{volume: work, at: /work}]
# checkpoint: {by: sigterm, grace: 2m, every: 30m, path: /work/ckpt}
`,
  },
  {
    id: 'gang',
    name: 'template.gang',
    text: `name: pretrain
image: images.example/train:1.4
command: [torchrun, train.py]
replicas: 4   # all start together or not at all
resources: {gpus: 8}
topology: {require: block, prefer: rack, patience: 10m}
walltime: 1d
# To come back where it was, save to a volume of the team:
# data: [{volume: work, at: /work}]
# checkpoint: {by: api, grace: 2m, every: 30m, path: /work/ckpt}
`,
  },
  {
    id: 'sweep',
    name: 'template.sweep',
    text: `name: sweep
priority: low   # gives way first, and costs nobody else a wait
image: images.example/train:1.4
command: [python, sweep.py]
resources: {gpus: 1}
walltime: 2h
preemptible: true
retry: {onFailure: 1}
`,
  },
]
