// What a device may answer to each operator. Operators that are not here are exact.
#pragma once

#include <goldml/oracle/verdicts/activations.hpp>
#include <goldml/oracle/verdicts/adam_optimizer.hpp>
#include <goldml/oracle/verdicts/arg_reduce.hpp>
#include <goldml/oracle/verdicts/cast.hpp>
#include <goldml/oracle/verdicts/convolution.hpp>
#include <goldml/oracle/verdicts/cumulative.hpp>
#include <goldml/oracle/verdicts/diagonal_matrix.hpp>
#include <goldml/oracle/verdicts/element_wise.hpp>
#include <goldml/oracle/verdicts/fill_value_sequence.hpp>
#include <goldml/oracle/verdicts/gather.hpp>
#include <goldml/oracle/verdicts/gemm.hpp>
#include <goldml/oracle/verdicts/hardmax.hpp>
#include <goldml/oracle/verdicts/lstm.hpp>
#include <goldml/oracle/verdicts/max_unpooling.hpp>
#include <goldml/oracle/verdicts/nonzero_coordinates.hpp>
#include <goldml/oracle/verdicts/padding.hpp>
#include <goldml/oracle/verdicts/quantize_linear.hpp>
#include <goldml/oracle/verdicts/reduce.hpp>
#include <goldml/oracle/verdicts/rnn.hpp>
#include <goldml/oracle/verdicts/scatter_elements.hpp>
#include <goldml/oracle/verdicts/scatter_nd.hpp>
#include <goldml/oracle/verdicts/softmax.hpp>
#include <goldml/oracle/verdicts/top_k.hpp>
#include <goldml/oracle/verdicts/upsample_2d.hpp>
#include <goldml/oracle/verdicts/value_scale_2d.hpp>
