import { existsSync } from 'node:fs'
import path from 'node:path'
import { AppError } from '../../errors.ts'

/** Where weights lie in a model's folder, by the conventions of transformers.js and of exporters; the first that is there. */
const WEIGHTS = [
  'onnx/model_quantized.onnx',
  'onnx/model.onnx',
  'model_quantized.onnx',
  'model.onnx',
]

/** Weights of a cross-encoder with the vocabulary of the model that it stands beside. */
const CROSS_ENCODER = 'onnx/answers_quantized.onnx'

/** Undefined where a model has none beside it. */
export function crossEncoderIn(folder: string): string | undefined {
  const weights = path.join(folder, CROSS_ENCODER)
  return existsSync(weights) ? weights : undefined
}

/** The file with a model's ONNX weights. Throws `model_unavailable` where there is none. */
export function weightsIn(folder: string): string {
  const weights = WEIGHTS.map(name => path.join(folder, name)).find(file => existsSync(file))
  if (weights) return weights
  const advice =
    'Give the absolute path of a folder with tokenizer.json and the weights; nothing is downloaded.'
  throw new AppError(
    'model_unavailable',
    `There is none of ${WEIGHTS.join(', ')} in ${folder}. ${advice}`,
  )
}
