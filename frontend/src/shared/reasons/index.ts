export { Says } from './Says'
export { gapsOf, sayReason } from './sayReason'
export { plain, sayFailure, sayLevel, sayLevels } from './plain'
export { gpus, job, list, said, type Said } from './said'
