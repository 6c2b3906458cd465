"""Cycles from functional execution alone: features of launches, bounds, a trained model.

    from vigpu import predict
    frame = predict.cycles("trace.pb", "kbl-gt3e")

The contract is docs/guide/predict.md. Predicting needs numpy and pandas; training and validation
also scikit-learn and statsmodels.
"""
from vigpu.predict.model import Model, cycles, default_model

__all__ = ["Model", "cycles", "default_model"]
