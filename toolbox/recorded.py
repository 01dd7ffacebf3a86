"""What notebook 13 shows where PyTorch is missing, and what was measured. Written by a script."""

MACHINE = "2 processors, Linux x86_64, Python 3.11.7, NumPy 2.4.6, PyTorch 2.13.0; float64, one thread"

TIMES = {
    "tiny": {
        "babygrad": {"ms": 1.41, "process": 39.02, "grown": 0.39},
        "PyTorch": {"ms": 1.61, "process": 301.18, "grown": 8.21},
    },
    "small": {
        "babygrad": {"ms": 1.87, "process": 39.54, "grown": 0.8},
        "PyTorch": {"ms": 2.35, "process": 301.4, "grown": 8.39},
    },
    "large": {
        "babygrad": {"ms": 326.61, "process": 135.61, "grown": 72.35},
        "PyTorch": {"ms": 333.02, "process": 388.46, "grown": 77.96},
    },
}

EPOCHS = [1, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 160, 170, 180, 190, 200]

DIFFERENCES = {
    "layers.0.weight": 6.9e-18,
    "layers.0.bias": 5.2e-18,
    "layers.2.weight": 1.4e-17,
    "layers.2.bias": 6.9e-18,
    "layers.4.weight": 2.8e-17,
    "layers.4.bias": 2.1e-17,
}

LOSSES = {
    "babygrad": [
        0.5682,
        0.2932,
        0.281,
        0.2705,
        0.256,
        0.2331,
        0.1992,
        0.1643,
        0.1359,
        0.1207,
        0.1095,
        0.1036,
        0.0991,
        0.0987,
        0.0964,
        0.0948,
        0.0954,
        0.0937,
        0.0937,
        0.0932,
        0.0928,
    ],
    "PyTorch": [
        0.5682,
        0.2932,
        0.281,
        0.2705,
        0.256,
        0.2331,
        0.1992,
        0.1643,
        0.1359,
        0.1207,
        0.1095,
        0.1036,
        0.0991,
        0.0987,
        0.0964,
        0.0948,
        0.0954,
        0.0937,
        0.0937,
        0.0932,
        0.0928,
    ],
}

LOSS_DIFFERENCE = 2e-16

ACCURACY = {"babygrad": 0.969, "PyTorch": 0.969}

PRINTED = {
    "the_twin": """\
TorchMLP(
  (layers): Sequential(
    (0): Linear(in_features=2, out_features=32, bias=True)
    (1): Tanh()
    (2): Linear(in_features=32, out_features=32, bias=True)
    (3): Tanh()
    (4): Linear(in_features=32, out_features=2, bias=True)
  )
)
first weight, ours:   (2, 32)
first weight, theirs: (32, 2)
""",
    "largest_differences": """\
parameter         largest gradient   largest difference
layers.0.weight             0.0300              6.9e-18
layers.0.bias               0.0123              5.2e-18
layers.2.weight             0.0574              1.4e-17
layers.2.bias               0.0141              6.9e-18
layers.4.weight             0.0930              2.8e-17
layers.4.bias               0.0319              2.1e-17
""",
    "graphs_of_both": """\
yours                           PyTorch
CrossEntropy                    NllLossBackward0
  Affine                          LogSoftmaxBackward0
    Tanh                            AddmmBackward0
      Affine                          AccumulateGrad
        Tanh                          TanhBackward0
          Affine                        AddmmBackward0
                                          AccumulateGrad
                                          TanhBackward0
                                            AddmmBackward0
                                              AccumulateGrad
                                              TBackward0
                                                AccumulateGrad
                                          TBackward0
                                            AccumulateGrad
                                      TBackward0
                                        AccumulateGrad
""",
    "changed_in_place": """\
version of the result: 0
after a change in place: 1
one of the variables needed for gradient computation has been modified by an inplace operation ...
""",
    "saved_tensors": """\
exp keeps its result: 7.3891
a * b keeps a and b:  2.0 5.0
a + b keeps neither:  True
""",
    "a_second_walk": """\
Trying to backward through the graph a second time (or directly access saved tensors after
they have already been freed). Saved intermediate values of the graph are freed when you
call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward
through the graph a second time or if you need to access saved tensors after calling
backward.
with retain_graph=True: 12.0
""",
    "a_hook": """\
passing the middle: 10.0
t.grad: 6.0
""",
    "functions_of_functions": """\
second derivative at 2: 12.0
derivatives at 1, 2, 3: [3.0, 12.0, 27.0]
""",
}
