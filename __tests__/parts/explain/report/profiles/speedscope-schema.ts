/** The published schema of speedscope's files, from src/lib/file-format-spec.ts of jlfwong/speedscope (3613918, MIT), closed for keys that it does not name. */
export const SPEEDSCOPE = {
  type: 'object',
  additionalProperties: false,
  required: ['$schema', 'profiles', 'shared'],
  properties: {
    $schema: { const: 'https://www.speedscope.app/file-format-schema.json' },
    activeProfileIndex: { type: 'number' },
    exporter: { type: 'string' },
    name: { type: 'string' },
    shared: {
      type: 'object',
      additionalProperties: false,
      required: ['frames'],
      properties: {
        frames: {
          type: 'array',
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['name'],
            properties: {
              name: { type: 'string' },
              file: { type: 'string' },
              line: { type: 'number' },
              col: { type: 'number' },
            },
          },
        },
      },
    },
    profiles: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['type', 'name', 'unit', 'startValue', 'endValue', 'samples', 'weights'],
        properties: {
          type: { const: 'sampled' },
          name: { type: 'string' },
          unit: { enum: ['bytes', 'microseconds', 'milliseconds', 'nanoseconds', 'none', 'seconds'] },
          startValue: { type: 'number' },
          endValue: { type: 'number' },
          samples: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
          weights: { type: 'array', items: { type: 'number' } },
        },
      },
    },
  },
} as const;
