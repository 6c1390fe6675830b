// A kernel as C++ for OpenCV, as a GLSL fragment shader and as a CUDA kernel. The last two are a loop over the window, with the
// border as a function of one coordinate. core/kernelCode.ts gives them the kernel and says what they lose.

import { borderComment, borderValue, type CodeKernel, floatText, isConstant, opencvBorders } from './codeText';
import type { Border } from './pass';

/** m = i modulo a period, 0 or more. No operand of % is negative: GLSL leaves that undefined. */
const remainder = (period: string) => `  int p = ${period};\n  int m = i < 0 ? p - 1 - (-1 - i) % p : i % p;\n`;

/** The body of `int place(int i, int n)`: the coordinate inside that stands for i, or −1 where a value stands for it. */
function placeBody(border: Border): string {
  switch (border.kind) {
    case 'zero':
    case 'constant':
      return '  return i < 0 || i >= n ? -1 : i;\n';
    case 'replicate':
      return '  return i < 0 ? 0 : i >= n ? n - 1 : i;\n';
    case 'wrap':
      return `${remainder('n')}  return m;\n`;
    case 'reflect':
      return `${remainder('2 * n')}  return m < n ? m : 2 * n - 1 - m;\n`;
    case 'mirror':
      return `  if (n == 1) return 0;\n${remainder('2 * n - 2')}  return m < n ? m : 2 * n - 2 - m;\n`;
  }
}

export function opencvCppCode({ rows, divisor, kernel, settings, reach, words }: CodeKernel): string {
  const { border, size } = settings;
  const { up, down, left, right } = reach;
  const word = opencvBorders[border.kind];
  const share = (value: number) => (value === 0 ? '0.0' : `${value} * full_scale`);
  const value = isConstant(border) ? `, cv::Scalar::all(${share(borderValue(border))})` : '';
  const frame =
    size === 'valid'
      ? `  // ${words.comment('wholeWindows')}\n`
      : `  // ${words.comment('borderFirst', { border: word })}\n` +
        `  cv::copyMakeBorder(padded, padded, ${up}, ${down}, ${left}, ${right}, cv::${word}${value});\n`;
  return (
    `#include <opencv2/imgproc.hpp>\n\n` +
    `// ${words.comment('cppImage')}\n` +
    `cv::Mat FilterImage(const cv::Mat& image) {\n` +
    `  static const double kWeights[] = {\n${rows.map((row) => `      ${row.join(', ')},`).join('\n')}\n  };\n` +
    `  const cv::Mat kernel = cv::Mat(${kernel.height}, ${kernel.width}, CV_64F, const_cast<double*>(kWeights)) / ${floatText(divisor)};\n` +
    `  // ${words.comment('shares')}\n` +
    `  const int depth = image.depth();\n` +
    `  const double full_scale = depth == CV_8U ? 255.0 : depth == CV_16U ? 65535.0 : 1.0;\n` +
    `  cv::Mat padded, result;\n` +
    `  image.convertTo(padded, CV_64F);\n` +
    frame +
    `  cv::filter2D(padded, result, CV_64F, kernel, cv::Point(${kernel.anchorX}, ${kernel.anchorY}), ${share(kernel.bias)});\n` +
    `  return result(cv::Rect(${left}, ${up}, padded.cols - ${left + right}, padded.rows - ${up + down})).clone();\n` +
    `}\n`
  );
}

/** Weights over several lines, each with its suffix. */
function list({ rows }: CodeKernel, suffix: string): string {
  return rows.map((row) => `  ${row.map((weight) => `${floatText(weight)}${suffix}`).join(', ')}`).join(',\n');
}

/** A fragment shader of GLSL ES 3.00 (WebGL 2): one texel of `picture` for each fragment, values of 0…1. */
export function glslCode(code: CodeKernel): string {
  const { kernel, divisor, settings, words } = code;
  const { width, height, anchorX, anchorY, bias } = kernel;
  const count = width * height;
  return `#version 300 es
precision highp float;
precision highp int;
uniform sampler2D picture;
out vec4 result;

// ${words.comment('textureWeights')}
const float weights[${count}] = float[${count}](
${list(code, '')}
);

// ${borderComment(code)}
int place(int i, int n) {
${placeBody(settings.border)}}

void main() {
  ivec2 size = textureSize(picture, 0);
  ivec2 at = ivec2(gl_FragCoord.xy);
  vec4 sum = vec4(0.0);
  for (int j = 0; j < ${height}; ++j) {
    int y = place(at.y + j - ${anchorY}, size.y);
    for (int i = 0; i < ${width}; ++i) {
      int x = place(at.x + i - ${anchorX}, size.x);
      vec4 texel = x < 0 || y < 0 ? vec4(${floatText(borderValue(settings.border))}) : texelFetch(picture, ivec2(x, y), 0);
      sum += weights[j * ${width} + i] * texel;
    }
  }
  result = sum / ${floatText(divisor)} + ${floatText(bias)};
}
`;
}

/** A CUDA kernel over interleaved float samples; weights in constant memory up to `constantLimit` of them. */
export function cudaCode(code: CodeKernel, constantLimit: number): string {
  const { kernel, divisor, settings, words } = code;
  const { width, height, anchorX, anchorY, bias } = kernel;
  const count = width * height;
  const memory = count <= constantLimit ? '__constant__' : '__device__ const';
  return `// ${words.comment('weights')}
${memory} float kWeights[${count}] = {
${list(code, 'f')}
};

// ${borderComment(code)}
__device__ int Place(int i, int n) {
${placeBody(settings.border)}}

// ${words.comment('cudaJob')}
// dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8).
__global__ void FilterImage(const float* in, float* out, int width, int height, int channels, float full_scale) {
  const int px = blockIdx.x * blockDim.x + threadIdx.x;
  const int py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  for (int channel = 0; channel < channels; ++channel) {
    float sum = 0.0f;
    for (int j = 0; j < ${height}; ++j) {
      const int y = Place(py + j - ${anchorY}, height);
      for (int i = 0; i < ${width}; ++i) {
        const int x = Place(px + i - ${anchorX}, width);
        const bool outside = x < 0 || y < 0;
        const float sample =
            outside ? ${floatText(borderValue(settings.border))}f * full_scale : in[(static_cast<size_t>(y) * width + x) * channels + channel];
        sum += kWeights[j * ${width} + i] * sample;
      }
    }
    out[(static_cast<size_t>(py) * width + px) * channels + channel] =
        sum / ${floatText(divisor)}f + ${floatText(bias)}f * full_scale;
  }
}
`;
}
